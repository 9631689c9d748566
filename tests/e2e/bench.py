#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program that measures speed, from outside.  Argument: sluice-bench."""

import json
import os
import sys

from common import run_tests, runner

bench = runner(os.path.abspath(sys.argv[1]))


def test_help():
    text = bench("--help").stdout
    assert text.startswith("Usage:\n  sluice-bench ") and "Examples:" in text, text
    assert max(map(len, text.splitlines())) <= 100


def test_usage():
    message = bench("gathr", code=2).stderr
    assert "gather" in message and message.startswith("sluice-"), message


def test_figures():
    figures = json.loads(bench("gather", "--json").stdout)["figures"]
    assert [figure["name"] for figure in figures] == [f"gather.alpha-{a}" for a in ("0.5", "0.25", "0.1")], figures
    for figure in figures:
        short = not figure["value"] >= figure["at_least"]
        assert figure["result"] == ("short" if short else "ok"), figure
    assert "recurrence" in bench("--list").stdout


sys.exit(run_tests(globals()))
