#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every worksheet as a printer and a reader get it, in English and German: two pages at most, with all its
words as text; and two hundred files of answers in less than a second.  Arguments: the command line, the
folder of the lessons, that of the catalogues."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from common import ok, plan, so

CLI, LESSONS, CATALOGUES = sys.argv[1:4]
LANGUAGES = {
    "English": {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"},
    "German": {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "SLUICE_LOCALEDIR": CATALOGUES},
}
CLASS = 200
SECONDS = 1.0


def call(*words, **variables):
    return subprocess.run(words, env=dict(os.environ, **variables), capture_output=True, text=True,
                          check=True).stdout


def letters(text):
    """Without places where a line may break."""
    return re.sub(r"\s+", "", text)


def sheet(name, path, variables):
    """The number of pages of a worksheet, and its words."""
    call(CLI, "worksheet", name, "-o", path, **variables)
    pages = int(re.search(r"Pages:\s+(\d+)", call("pdfinfo", path)).group(1))
    return pages, letters(call("pdftotext", path, "-"))


def check_sheets(name, folder):
    with open(os.path.join(LESSONS, name + ".lesson"), encoding="utf-8") as file:
        lesson = json.load(file)
    said = {}
    for language, variables in LANGUAGES.items():
        pages, said[language] = sheet(name, os.path.join(folder, "sheet.pdf"), variables)
        assert 1 <= pages <= 2, (name, language, pages)
    for text in [lesson["title"], lesson["goal"]] + [step["title"] for step in lesson["steps"]]:
        assert letters(text) in said["English"], (name, text)
    assert letters(lesson["goal"]) not in said["German"], name
    assert "Ziel:" in said["German"], name


def answers(i):
    """Of one person: a choice, a number and a drawn curve."""
    return {"sluice-answers": 1, "lesson": "A test", "of": "0123456789abcdef", "name": f"code {i}",
            "answers": [
                {"step": 1, "kind": "choice", "prompt": "Which?", "options": ["this", "that"],
                 "right": 2, "guess": 1 + i % 2},
                {"step": 2, "kind": "number", "prompt": "How much?", "range": [0, 100],
                 "unit": "%", "guess": i % 100, "measured": 24.5},
                {"step": 3, "kind": "curve", "prompt": "How?", "range": [0, 100],
                 "along": [0, 800], "guess": [(i + 7 * k) % 100 for k in range(33)],
                 "measured": [100 - 3 * k for k in range(33)]}]}


def check_class(folder):
    """Processor time, which does not hang on what else the machine does."""
    paths = [os.path.join(folder, f"{i}.json") for i in range(CLASS)]
    for i, path in enumerate(paths):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(answers(i), file)
    table = os.path.join(folder, "class.csv")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = call(CLI, "answers", "merge", "--csv", table, *paths, **LANGUAGES["English"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    assert f"{CLASS // 2} right" in said, said
    with open(table, encoding="utf-8") as file:
        assert len(file.readlines()) > CLASS
    so(taken < SECONDS, f"{CLASS} files of answers are merged in {taken:.2f} s of processor time")


def main():
    names = [line.split()[0] for line in call(CLI, "worksheet", **LANGUAGES["English"]).splitlines()]
    folder = tempfile.mkdtemp(prefix="sluice-worksheets-")
    for name in names:
        check_sheets(name, folder)
        ok(f"{name} is a worksheet of two pages at most, all of it text")
    check_class(folder)
    shutil.rmtree(folder)
    plan()


if __name__ == "__main__":
    main()
