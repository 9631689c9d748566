#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every worksheet as a printer and a reader get it, in English and German: two pages at most, with all its
words as text; the key, which has a number for every blank of the sheet; the cheat sheet; and two hundred files of
answers in less than a second.  Arguments: the command line, the
folder of the lessons, that of the catalogues."""

import csv
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
# Three dots and a star are a time that a busy machine could not measure.
MEASURED = r"([-−0-9.]+|…(?=[^*]{0,3}\*))"
CLASS = 200
SECONDS = 1.0


def call(*words, **variables):
    return subprocess.run(words, env=dict(os.environ, **variables), capture_output=True, text=True,
                          check=True).stdout


def letters(text):
    """Without places where a line may break."""
    return re.sub(r"\s+", "", text)


def sheet(words, path, variables):
    """The number of pages of a worksheet, and its words."""
    call(CLI, "worksheet", *words, "-o", path, **variables)
    pages = int(re.search(r"Pages:\s+(\d+)", call("pdfinfo", path)).group(1))
    return pages, letters(call("pdftotext", path, "-"))


def check_blanks(name, sheet_words, key_words):
    """What is before and behind the blanks of the sheet is in the key, with numbers between."""
    filled = 0
    near = r"[^_.?!:;#0-9]{0,12}"
    for part in re.findall(rf"{near}(?:(?<!_)_{{6}}(?!_){near})+", sheet_words):
        pieces = part.split("_" * 6)
        found = re.search(MEASURED.join(re.escape(piece) for piece in pieces), key_words)
        assert found, (name, part)
        filled += len(found.groups())
    assert filled == len(re.findall(r"(?<!_)_{6}(?!_)", sheet_words)), (name, filled)


def check_key(name, lesson, said, language):
    """Every place for a measured number, every choice and every curve has what was measured; tolerances and marks of
    times are on both."""
    check_blanks(name, *said)
    asked = [step["question"] for step in lesson["steps"] if "question" in step]
    numbers = sum(question["kind"] == "number" for question in asked)
    assert len(re.findall(r"_{10}", said[0])) == 2 * numbers, name
    assert len(re.findall(r"(?:Measured|Gemessen):" + MEASURED, said[1])) == numbers, name
    curves = sum(question["kind"] == "curve" for question in asked)
    ends = {"English": "Measuredattheendofthecurve:", "German": "AmEndederKurvegemessen:"}[language]
    assert len(re.findall(ends + r"[-−0-9.]+", said[1])) == curves, name
    for question in asked:
        if question["kind"] == "choice" and language == "English":
            right = letters(question["options"][question["answer"] - 1])
            place = re.search(r"([A-F])" + re.escape(right), said[0])
            assert "Answer:" + place.group(1) + right in said[1], (name, right)
    for words in said:
        if language == "English":
            assert words.count("(within") == sum("tolerance" in question for question in asked), name
        assert ("*" in words) == ("speed." in json.dumps(lesson)), name


def check_sheets(name, folder):
    with open(os.path.join(LESSONS, name + ".lesson"), encoding="utf-8") as file:
        lesson = json.load(file)
    said = {}
    for language, variables in LANGUAGES.items():
        pages, said[language] = sheet([name], os.path.join(folder, "sheet.pdf"), variables)
        assert 1 <= pages <= 2, (name, language, pages)
        _, key = sheet([name, "--key"], os.path.join(folder, "key.pdf"), variables)
        check_key(name, lesson, (said[language], key), language)
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
                 "unit": "%", "tolerance": 5, "guess": i % 100, "measured": 24.5},
                {"step": 3, "kind": "curve", "prompt": "How?", "range": [0, 100],
                 "along": [0, 800], "tolerance": 30, "guess": [(i + 7 * k) % 100 for k in range(33)],
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
    with open(table, encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file))
    assert len(people) == CLASS
    for row in people:
        near = abs(float(row["step2_guess"]) - 24.5) <= 5
        assert row["step2_right"] == str(int(near)), row
        assert int(row["right"]) == sum(row[f"step{step}_right"] == "1" for step in (1, 2, 3)), row
        assert row["marked"] == "3"
    so(taken < SECONDS, f"{CLASS} files of answers are merged in {taken:.2f} s of processor time")


def main():
    names = [line.split()[0] for line in call(CLI, "worksheet", **LANGUAGES["English"]).splitlines()]
    folder = tempfile.mkdtemp(prefix="sluice-worksheets-")
    for name in names:
        check_sheets(name, folder)
        ok(f"{name} is a worksheet of two pages at most, all of it text")
    for language, variables in LANGUAGES.items():
        pages, words = sheet(["--cheat-sheet"], os.path.join(folder, "words.pdf"), variables)
        so(pages == 2 and "top-k" in words.lower(), f"the cheat sheet has two pages in {language}")
    check_class(folder)
    shutil.rmtree(folder)
    plan()


if __name__ == "__main__":
    main()
