#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""opening.py PAGE: milliseconds until a web page has drawn itself in Debian's chromium; nothing where there is none."""

import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "page"))

from browser import Browser  # noqa: E402
from pipe import program  # noqa: E402

TIMES = 3
DRAWN = "document.documentElement.dataset.ready === ''"

if program() is not None:
    with Browser() as browser:
        took = []
        for _ in range(TIMES):
            with browser.open(sys.argv[1]) as page:
                page.wait(DRAWN)
                took.append(page.evaluate("performance.now()"))
        print(statistics.median(took))
