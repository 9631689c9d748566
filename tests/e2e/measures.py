#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program that makes published tables again, from outside.  Argument: sluice-reproduce."""

import json
import os
import re
import sqlite3
import sys
import tempfile

from common import run_tests, runner

reproduce = runner(os.path.abspath(sys.argv[1]))


def test_help():
    text = reproduce("--help").stdout
    assert text.startswith("Usage:\n  sluice-reproduce ") and "Examples:" in text, text
    assert max(map(len, text.splitlines())) <= 100


def test_usage():
    for words, hint in (
            ("shazeer", "shazeer-6"),
            ("davis-4.2 --seeds 101", "100"),
            ("davis-4.2 --seeds 0", "100"),
            ("davis-4.2 --seeds 5-4", "6-10"),
            ("davis-4.2 --seeds 1-101", "100"),
            ("davis-4.2 --figure x.gif", ".svg"),
            ("davis-4.2 --figure x.png --dpi 9", "2400"),
            ("davis-4.2 --page nix", "slide"),
            ("davis-4.2 --data .", "needs"),
            ("davis-4.2 --json --markdown", "one"),
            ("--list --json", "--markdown")):
        message = reproduce(*words.split(), code=2).stderr
        assert hint in message and message.startswith("sluice-"), (words, message)


def test_place():
    """Where a report or a figure cannot be made is said before anything is trained."""
    for words in ("--report nix/r.md", "--figure nix/f.svg"):
        message = reproduce("davis-a", *words.split(), code=1).stderr
        assert "nix: No such file" in message, message


def test_alone():
    """A table of which nothing is published has bars of ours; what trains nothing says that it keeps nothing."""
    with tempfile.TemporaryDirectory() as folder:
        figure, store = os.path.join(folder, "f.svg"), os.path.join(folder, "runs.sluice")
        told = reproduce("donier", "--quick", "--figure", figure, "--store", store, "--json")
        assert "no runs that a store could keep" in told.stderr, told.stderr
        tables = json.loads(told.stdout)["tables"]
        assert [table["id"] for table in tables] == ["donier"]
        assert [claim["verdict"] for claim in tables[0]["claims"]] == 8 * ["arithmetic"], tables[0]["claims"]
        with open(figure, encoding="utf-8") as file:
            drawn = file.read()
        assert "16 layers" in drawn and "published" not in drawn


def test_tables():
    """What there is to reproduce is listed with its source and its time."""
    listed = reproduce("--list").stdout
    for table in ("davis-3.2", "davis-3.3", "davis-4.2", "davis-4.4", "davis-4.5", "davis-a", "shazeer-6", "bengio-mnist",
                  "liu-2a", "liu-2b", "liu-2c", "liu-2d", "liu-2d-two", "liu-faces", "cho-credit", "cho-letters",
                  "donier", "li-1", "li-2", "li-3", "li-4",
                  "today-experts", "today-signs", "today-gates", "today-exits"):
        assert re.search(rf"^{table} ", listed, re.M), table
    assert listed.count(" min") + listed.count(" s,") >= 5 and listed.count("needs MNIST") >= 2
    homeless = {key: value for key, value in os.environ.items() if key != "SLUICE_SHARED_DATA"}
    assert "where" in reproduce("davis-3.3", code=1, env=homeless).stderr


def test_items():
    """Every table and figure of two chapters has a line with a verdict, and the page of results has them all."""
    listed = reproduce("--list").stdout
    tables = re.findall(r"^([a-z]+-\S+) ", listed, re.M)
    assert len(tables) == 27, tables  # and donier, which has no hyphen
    wanted = [f"table {at}" for at in ("3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "4.4")]
    wanted += [f"figure 3.{i}" for i in range(1, 7)] + [f"figure 4.{i}" for i in range(1, 5)]
    wanted += [f"figure A.{i}" for i in range(1, 12)]
    for item in wanted:
        lines = re.findall(rf"^{re.escape(item)} +\S.*", listed, re.M)
        assert len(lines) == 1, (item, lines)
        found = re.search(r": (number|faster|shape|differs|not decided here|not at this scale|illustration|not made)"
                          r"(?: \((\S+)\))?; \S", lines[0])
        assert found and (found[2] is None or found[2] in tables), lines[0]
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "results.md"), encoding="utf-8") as file:
        results = file.read()
    assert reproduce("--list", "--markdown").stdout in results, "docs/results.md: renew what --list --markdown prints"


def test_store():
    """Runs are kept in the store, and the table that is made from them once more is the same."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "runs.sluice")
        tables = [reproduce("donier-networks", "--quick", "--quiet", "--markdown", "--store", store).stdout
                  for _ in range(2)]
        assert tables[0] == tables[1] and "|" in tables[0], tables
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as reader:
            finished = reader.execute("SELECT count(*) FROM run WHERE step > 0").fetchone()[0]
        assert finished >= 5, finished


def test_seeds():
    """A single seed decides nothing, and the page says so."""
    text = reproduce("donier-networks", "--quick", "--quiet", "--markdown").stdout
    assert text.count("* Not decided here: ") == 6 and "fewer than 5 seeds; these are of 1" in text, text
    text = reproduce("donier-networks", "--quick", "--quiet", "--markdown", "--seeds", "5").stdout
    assert "* Holds: " in text and "fewer than" not in text, text
    first, later = (json.loads(reproduce("donier-networks", "--quick", "-q", "--json", "--seeds", seeds).stdout)["tables"][0]
                    for seeds in ("2", "2-3"))
    assert first["seeds"] == [1, 2] and later["seeds"] == [2, 3], later["seeds"]
    assert first["cells"][0]["ours"][1] == later["cells"][0]["ours"][0], later["cells"][0]


def test_page():
    """A page has a line for each table above the tables, and the figure the curves and the ways."""
    shared = os.environ.get("SLUICE_SHARED_DATA", "")
    if not os.path.exists(os.path.join(shared, "faces")):
        print("# the folder of real data is not here")
        return
    with tempfile.TemporaryDirectory() as folder:
        page, figure = os.path.join(folder, "page.md"), os.path.join(folder, "figure.svg")
        reproduce("liu-faces", "--quick", "--quiet", "--report", page, "--figure", figure)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        assert re.search(r"^\| liu-faces \| Liu and Deng 2017, figures 2 and 4 \|  \| \d of 6 \|", text, re.M), text
        assert text.index("| liu-faces |") < text.index("### Liu and Deng 2017"), text
        assert re.search(r"^\| static high \| \d", text, re.M), text
        with open(figure, encoding="utf-8") as file:
            drawn = file.read()
        for words in ("Figure 2", "Figure 4, ours", "static nets", "way 2"):
            assert words in drawn, words


sys.exit(run_tests(globals()))
