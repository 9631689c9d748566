#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Questions of lessons for learning platforms, read back by parsers of Moodle XML and of GIFT that know the formats
only from their documentation: every lesson of the program, and one whose texts are made of the formats' signs.  Both
files have to say what the lesson says.  Arguments: the command line, the folder of the lessons."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from common import ok, plan

CLI, LESSONS = sys.argv[1:3]
ENGLISH = dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="en")

# Moodle XML: what a question of a type has to have, and may have.
COMMON = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber"}
OWN = {
    "multichoice": {"answer", "single", "shuffleanswers", "answernumbering"},
    "numerical": {"answer", "units", "unitgradingtype", "unitpenalty", "showunits", "unitsleft"},
    "essay": {"answer", "responseformat", "responserequired", "responsefieldlines", "attachments",
              "graderinfo", "responsetemplate"},
}
FORMATS = {"html", "moodle_auto_format", "plain_text", "markdown"}

# What in a text would be something else if it were not escaped.
HOSTILE = ("]]> & <b>\"x\"</b> ~ = # } : \\ \\n \\\\ -> %100% // $CATEGORY: a\n// b\n\n$CATEGORY: c\n"
           "::d:: ####e =>1 #2 [html]f \t\u0001\u0085\ufffe é ∑ 🙂")


def same(text):
    """A text as a document can hold it: without control characters, spaces at its ends apart."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", "", text).strip()


# ---- Moodle XML ----

def text_of(element, formatted):
    assert len(element) >= 1 and element[0].tag == "text", ET.tostring(element)
    if formatted:
        assert element.get("format", "moodle_auto_format") in FORMATS
    return (element[0].text or "").strip()


def only(question, tag):
    found = question.findall(tag)
    assert len(found) == 1, (tag, len(found))
    return found[0]


def xml_answers(question, kind):
    for answer in question.findall("answer"):
        fraction = float(answer.get("fraction"))
        assert 0 <= fraction <= 100
        tolerance = answer.findtext("tolerance")
        assert (tolerance is not None) == (kind == "numerical")
        yield fraction, text_of(answer, kind == "multichoice"), tolerance


def read_xml(path):
    """A category and a list of questions: kind, name, text, options with the right one, or a number."""
    with open(path, "rb") as file:
        assert file.read(5) == b"<?xml", "nothing may be before the declaration"
    root = ET.parse(path).getroot()
    assert root.tag == "quiz" and not root.attrib
    category, questions = None, []
    for element in root:
        assert element.tag == "question", element.tag
        kind = element.get("type")
        if kind == "category":
            assert category is None and not questions
            category = text_of(only(element, "category"), False)
            continue
        assert {child.tag for child in element} <= COMMON | OWN[kind], kind
        question = {"kind": kind, "name": text_of(only(element, "name"), False),
                    "text": text_of(only(element, "questiontext"), True)}
        answers = list(xml_answers(element, kind))
        feedback = element.find("generalfeedback")
        question["feedback"] = text_of(feedback, True) if feedback is not None else None
        if kind == "multichoice":
            assert only(element, "single").text == "true"
            assert only(element, "shuffleanswers").text in ("true", "1")
            assert only(element, "answernumbering").text in ("abc", "ABCD", "123", "iii", "IIII", "none")
            question["options"] = [text for _, text, _ in answers]
            question["right"] = [text for fraction, text, _ in answers if fraction == 100]
            assert all(fraction in (0, 100) for fraction, _, _ in answers)
        elif kind == "numerical":
            assert len(answers) == 1 and answers[0][0] == 100
            question["number"], question["tolerance"] = float(answers[0][1]), float(answers[0][2])
        questions.append(question)
    return category, questions


# ---- GIFT ----

ESCAPED = {"\\:": "\ue001", "\\#": "\ue002", "\\=": "\ue003", "\\{": "\ue004", "\\}": "\ue005", "\\~": "\ue006",
           "\\n": "\ue007"}
PLAIN = {mark: sign[1] for sign, mark in ESCAPED.items()} | {"\ue007": "\n", "\ue000": "\\"}


def hide(text):
    """Escaped signs as letters of their own: backslashes first, as the platform does it."""
    text = text.replace("\\\\", "\ue000")
    for sign, mark in ESCAPED.items():
        text = text.replace(sign, mark)
    assert "\\" not in text, text
    return text


def show(text):
    for mark, sign in PLAIN.items():
        text = text.replace(mark, sign)
    return text.strip()


def formatted(text):
    """A text after its format, "[plain]"."""
    found = re.match(r"\s*\[(html|moodle|plain|markdown)\](.*)", text, re.DOTALL)
    assert found and found.group(1) == "plain", text
    return show(found.group(2))


def gift_body(body, question):
    body, mark, feedback = body.strip().partition("####")
    question["feedback"] = formatted(feedback) if mark else None
    body = body.strip()
    if body == "":
        question["kind"] = "essay"
    elif body[0] == "#":
        question["kind"] = "numerical"
        number, tolerance = re.fullmatch(r"#\s*(-?[0-9.e+-]+):([0-9.e+-]+)", body).groups()
        question["number"], question["tolerance"] = float(number), float(tolerance)
    else:
        assert "~" in body, body
        question["kind"] = "multichoice"
        parts = re.findall(r"([=~])([^=~]*)", body)
        assert "".join(sign + text for sign, text in parts) == body, body
        for sign, text in parts:
            assert not text.strip().startswith("%") and "#" not in text, text  # no weight, no feedback
        question["options"] = [formatted(text) for _, text in parts]
        question["right"] = [formatted(text) for sign, text in parts if sign == "="]


def read_gift(path):
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if not line.strip().startswith("//")]
    category, questions = None, []
    for part in re.split(r"\n\s*\n", "\n".join(lines)):
        part = part.strip()
        if not part:
            continue
        if part.startswith("$CATEGORY:"):
            assert category is None and not questions and "\n" not in part
            category = part[len("$CATEGORY:"):].strip()
            continue
        found = re.fullmatch(r"::([^:]*)::([^{}]*)\{([^{}]*)\}", hide(part))
        assert found, part
        question = {"name": show(found.group(1)), "text": formatted(found.group(2))}
        gift_body(found.group(3), question)
        questions.append(question)
    return category, questions


# ---- against the lesson ----

def pattern(text):
    """A text whose formulas are any numbers."""
    parts = re.split(r"\{[^{}]*\}", same(text))
    return r"[-−0-9.…]+".join(re.escape(part) for part in parts)


def clock(lesson, step):
    """Whether the number is of the clock, as far as that is seen at once."""
    return "speed." in str(lesson["steps"][step]["question"].get("answer"))


def compare(lesson, questions, name):
    asked = [(i, step) for i, step in enumerate(lesson["steps"]) if "question" in step]
    assert len(asked) == len(questions), name
    for (i, step), question in zip(asked, questions):
        asks = step["question"]
        assert question["name"] == f"{i + 1}  {same(step['title'])}".strip(), (name, question["name"])
        whole = pattern(step["text"].strip()) + r"\s*" + pattern(asks["prompt"])
        assert re.match(whole, question["text"]), (name, whole, question["text"])
        marked = asks["kind"] == "choice" and "answer" in asks or (
            asks["kind"] == "number" and "tolerance" in asks and not clock(lesson, i))
        assert question["kind"] == ({"choice": "multichoice", "number": "numerical"}[asks["kind"]]
                                    if marked else "essay"), (name, i, question["kind"])
        if question["kind"] == "multichoice":
            assert question["options"] == [same(option) for option in asks["options"]], (name, i)
            assert question["right"] == [same(asks["options"][asks["answer"] - 1])], (name, i)
        elif question["kind"] == "numerical":
            assert math.isclose(question["tolerance"], asks["tolerance"], rel_tol=1e-5)
            assert f"[{asks['unit']}]" in question["text"] if asks.get("unit") else True
            if isinstance(asks["answer"], str) and re.fullmatch(r"[-0-9.]+", asks["answer"]):
                assert question["number"] == float(asks["answer"])
            else:
                # A measurement can be a little outside of the slider, never far.
                span = asks["range"][1] - asks["range"][0]
                assert asks["range"][0] - span < question["number"] < asks["range"][1] + span
        if question["feedback"] is not None:
            assert re.fullmatch(pattern(step["reveal"]), question["feedback"]), (name, question["feedback"])


def check(name, lesson, folder):
    read = []
    for reader, end in ((read_xml, "xml"), (read_gift, "gift")):
        path = os.path.join(folder, "questions." + end)
        said = subprocess.run([CLI, "worksheet", name, "--questions", path], env=ENGLISH, check=True,
                              capture_output=True, text=True).stdout
        category, questions = reader(path)
        assert category == "$course$/" + same(lesson["title"].replace("/", "//").replace("\n", " "))
        compare(lesson, questions, name)
        essays = sum(question["kind"] == "essay" for question in questions)
        assert (re.match(r"\d+", said).group() if said else "0") == str(essays), (name, said)
        read.append(questions)
    for a, b in zip(*read):
        b["feedback"] = b["feedback"] if b["kind"] != "essay" else a["feedback"]
        assert a == b, (name, a, b)
    ok(f"{lesson['title'][:40]!r} has the same {len(read[0])} questions in both formats")


def hostile():
    """A lesson of the formats' signs, with every kind of question."""
    options = [HOSTILE, "%50% " + HOSTILE, "=" + HOSTILE, "~", "#"]
    steps = [{"kind": "choice", "options": options, "answer": 2},
             {"kind": "choice", "options": options, "answer": 4},
             {"kind": "choice", "options": options},
             {"kind": "number", "range": [-5, 5], "answer": "-2.5", "tolerance": 0.25, "unit": HOSTILE[:9]},
             {"kind": "number", "range": [0, 5], "answer": "3"},
             {"kind": "curve", "panel": "width-of", "range": [0, 12], "along": [0, 9],
              "answer": "width-of.width", "tolerance": 1}]
    lesson = {"sluice-lesson": 1, "title": HOSTILE, "summary": "", "steps": [
        {"title": HOSTILE, "text": HOSTILE, "run": 1, "reveal": HOSTILE, "question": dict(step, prompt=HOSTILE)}
        for step in steps]}
    lesson["steps"][0]["lab"] = "capacity"
    return lesson


def main():
    folder = tempfile.mkdtemp(prefix="sluice-questions-")
    for file in sorted(os.listdir(LESSONS)):
        if file.endswith(".lesson"):
            with open(os.path.join(LESSONS, file), encoding="utf-8") as text:
                check(file[:-len(".lesson")], json.load(text), folder)
    path = os.path.join(folder, "hostile.lesson")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(hostile(), file)
    check(path, hostile(), folder)
    shutil.rmtree(folder)
    plan()


if __name__ == "__main__":
    main()
