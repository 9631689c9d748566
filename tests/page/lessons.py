# SPDX-License-Identifier: MIT
"""Pages of lessons: taken to their ends, with the answers that leave them."""

import base64
import csv
import gzip
import io
import json
import math
import os
import random
import re
import sys

from checks import check_common, complaints

HERE = os.path.dirname(os.path.abspath(__file__))
CATALOGUES = os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), "..", "po")
SCRIPTS = os.path.join(HERE, "..", "..", "resources", "page")
POINTS = 33
MARKS = {True: "1", False: "0", None: ""}
# A choice, a number and a curve of a run that takes a moment; `%s` is what others wrote.
SMALL = """{ "sluice-lesson": 1, "title": "Small %s", "summary": "%s", "goal": "%s", "steps": [
  { "title": "Choose %s", "text": "Text %s", "lab": "capacity", "run": 3, "show": ["width-of"],
    "question": { "kind": "choice", "prompt": "Which %s?", "options": ["one %s", "two", "three"], "answer": 2 },
    "reveal": "It is two %s." },
  { "title": "Guess", "text": "{width-of.width:3} wide.", "run": 3, "show": ["width-of"],
    "question": { "kind": "number", "prompt": "How wide?", "range": [0, 20], "step": 0.5, "unit": "px",
      "answer": "width-of.width", "tolerance": 2 }, "reveal": "{guess - answer:2} too much." },
  { "title": "Draw", "text": "Now.", "restart": true, "run": 30, "show": ["width-of", "profile"],
    "question": { "kind": "curve", "prompt": "How will it go?", "panel": "width-of", "range": [0, 10],
      "answer": "width-of.width", "tolerance": 1 }, "reveal": "Off by {off:3}." },
  { "title": "Free", "text": "End.", "run": true } ] }"""


def begin(browser, program):
    """Takes the browser and the command line of all tests."""
    global BROWSER, cli
    BROWSER, cli = browser, program


def written(name, text):
    """A file of the test's folder."""
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def small(other=""):
    """The page of the small lesson."""
    lesson = written("small.lesson", SMALL.replace("%s", json.dumps(other)[1:-1]))
    cli("worksheet", lesson, "--html", "small.html")
    return "small.html"


def data_of(path):
    """What a page has."""
    with open(path, encoding="utf-8") as file:
        packed = re.search('id="data">([^<]*)<', file.read())[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def opened(path, **look):
    """A page where recorded runs do not move by themselves, large enough that nothing lies under the buttons."""
    page = BROWSER.open(path, **{"reduced": True, "height": 1400, **look})
    page.wait("document.documentElement.dataset.ready !== undefined", 10)
    return page


def has(page, selector):
    """Whether there is such an element."""
    return page.call("selector => document.querySelector(selector) !== null", selector)


def words(page, selector="article"):
    """The text of an element, with plain blanks."""
    return page.call("selector => document.querySelector(selector).innerText", selector).replace("\u00a0", " ")


def title(page):
    """Of the step that is shown."""
    return words(page, "article h2")


def choose(page, option):
    """Clicks the option of these words."""
    place = page.call("""words => [...document.querySelectorAll('.options button')]
        .findIndex(option => option.innerText === words)""", option)
    assert place >= 0, option
    page.click(f".options button:nth-child({place + 1})")


def type_number(page, number):
    """Into the field of a number."""
    page.click(".number [type=number]")
    page.key("Control+a")
    page.type(str(number))


def save(page, name):
    """The file of answers under this name."""
    page.click("#who")
    page.key("Control+a")
    page.type(name)
    return page.download(lambda: page.click(".save .act"))


def merged(*paths):
    """The rows of the table of a class."""
    cli("answers", "merge", *paths, "--csv", "class.csv")
    with open("class.csv", encoding="utf-8") as file:
        return list(csv.DictReader(io.StringIO(file.read())))


def check_waiting(page):
    """Nothing that was recorded is told while a question waits."""
    assert has(page, "nav .act:disabled") and words(page, ".result") == "" and not has(page, ".time")
    names = " ".join(node.name for node in page.tree())
    assert "ends with" not in names, names
    before = title(page)
    page.key("ArrowRight")
    assert title(page) == before


def test_lesson_clicks():
    """A lesson is taken to its end by clicks, and its answers are read with their marks."""
    data = data_of(small())
    asked = {answer["step"]: answer for answer in json.loads(data["file"])["answers"]}
    width = asked[2]["measured"]
    with opened("small.html") as page:
        assert words(page, "header h1").startswith("Small") and "1 of 4" in words(page, "header")
        check_waiting(page)
        choose(page, "three")
        assert words(page, ".result").startswith("Not quite. It is two"), words(page, ".result")
        assert (words(page, ".options .right"), words(page, ".options .chosen")) == ("two", "three")
        page.click("nav .act")
        check_waiting(page)
        assert words(page, ".text") == "… wide." and not has(page, ".panel"), words(page)
        type_number(page, round(width) + 1)
        page.click(".ask .act")
        assert words(page, ".text") == f"{width:.3f} wide."
        assert words(page, ".result") == f"Right. {round(width) + 1 - width:.2f} too much.", words(page, ".result")
        assert f"your guess: {round(width) + 1} px" in words(page, ".legend"), words(page, ".legend")
        page.click("nav .act")
        check_waiting(page)
        assert has(page, ".acts .act:disabled") and not words(page, ".legend .value").strip()
        page.drag((".sketch", 0.2, 0.5), (".sketch", 0.9, 0.5), steps=9)
        page.click(".acts .act")
        off = float(re.search(r"Off by (\d+\.\d+)", words(page, ".result"))[1])
        page.click("nav .act")
        assert "recorded run" in words(page)
        page.click("nav .act")
        assert title(page) == "The lesson is over" and not has(page, "nav .act")
        assert "You: three. Right: two." in words(page), words(page)
        name, text = save(page, "Ada")
        assert name == "Ada.json"
        with open("ada.json", "wb") as file:
            file.write(text)
        row, = merged("ada.json")
        assert (row["name"], row["step1_guess"], row["step1_right"], row["step2_right"]) == ("Ada", "three", "0", "1")
        assert abs(float(row["step3_distance"]) - off) < 0.001 and row["step3_right"] == str(int(off <= 1)), row
        curve = json.loads(text)["answers"][2]
        assert curve["measured"] == asked[3]["measured"] and len(set(curve["guess"])) > 1
        page.click(".again")
        assert title(page).startswith("Choose") and has(page, "nav .act:disabled")
        assert not complaints(page), complaints(page)


def test_lesson_keys():
    """The same by keys alone."""
    small()
    with opened("small.html") as page:
        for _ in range(2):
            page.key("Tab")
        assert page.focus().role == "button", page.focus()
        page.key("Enter")
        assert words(page, ".result") != ""
        page.key("ArrowRight")
        assert title(page) == "Guess"
        page.key("Tab")
        assert page.focus().role == "slider", page.focus()
        for key in ("Home", "ArrowRight", "ArrowRight"):
            page.key(key)
        assert title(page) == "Guess" and page.evaluate("document.querySelector('[type=number]').value") == "1"
        page.key("Tab")
        page.key("Enter")
        assert "You" not in words(page, ".result") and words(page, ".result").startswith("Not quite. -")
        page.key("PageDown")
        assert title(page) == "Draw"
        page.evaluate("document.querySelector('.sketch').focus()")
        before = page.evaluate("document.querySelector('path.guess[d*=L]').getAttribute('d')")
        for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowUp"):
            page.key(key)
        assert before != page.evaluate("document.querySelector('path.guess[d*=L]').getAttribute('d')")
        assert words(page, ".at").startswith("Your guess at "), words(page, ".at")
        page.evaluate("document.querySelector('.acts .act').focus()")
        page.key("Enter")
        assert "Off by" in words(page, ".result") and page.focus() is not None
        page.key("ArrowRight")
        page.key("ArrowRight")
        assert title(page) == "The lesson is over"
        page.key("ArrowLeft")
        page.key("PageUp")
        assert title(page) == "Draw" and "Off by" in words(page, ".result")
        assert not complaints(page), complaints(page)


def test_lesson_skip():
    """What is skipped is not in the file, and who skips all has none to save."""
    small()
    with opened("small.html") as page:
        for _ in range(3):
            page.click(".skip")
            assert words(page, ".result") != "" and "Right." not in words(page, ".result")
            page.click("nav .act")
        page.click("nav .act")
        assert not has(page, "#who") and words(page).count("Skipped") == 3
        page.click(".again")
        choose(page, "two")
        page.click("nav .act")
        for _ in range(2):
            page.click(".skip")
            page.click("nav .act")
        page.click("nav .act")
        for name in ("", "x" * 61):
            page.evaluate(f"document.querySelector('#who').value = {json.dumps(name)}")
            page.click(".save .act")
            assert words(page, ".save [role=status]") != "" and "Saved" not in words(page, ".save"), name
        name, text = save(page, "B/-\\<b>\"é")
        answers = json.loads(text)
        assert [answer["step"] for answer in answers["answers"]] == [1], answers
        assert answers["name"] == "B/-\\<b>\"é", answers["name"]
        assert "/" not in name and "\\" not in name, name
        with open("skipped.json", "wb") as file:
            file.write(text)
        row, = merged("skipped.json")
        assert row["name"] == answers["name"] and (row["right"], row["marked"]) == ("1", "1"), row
        assert not complaints(page), complaints(page)


def test_lesson_play():
    """What was recorded is played once, and what it says follows; a slider goes back."""
    small()
    with opened("small.html", reduced=False) as page:
        page.click(".options button")
        shown = "getComputedStyle(document.querySelector('.result')).opacity"
        page.wait(shown + " === '1'")
        page.key("ArrowRight")
        page.click(".skip")
        page.wait(shown + " === '1'")
        page.key("ArrowRight")
        page.drag((".sketch", 0.3, 0.5), (".sketch", 0.8, 0.6))
        page.click(".acts .act")
        assert (page.evaluate(shown), words(page, ".time button")) == ("0", "Pause"), words(page)
        page.wait(shown + " === '1'")
        assert words(page, ".time output") == "update 30", words(page, ".time output")
        assert not has(page, ".plot svg svg rect")
        page.click(".time input")
        page.key("Home")
        assert words(page, ".time output") == "update 0", words(page, ".time output")
        assert page.evaluate("document.querySelector('.plot svg svg rect').getAttribute('width')") == "0"
        assert page.evaluate(shown) == "1" and not complaints(page), complaints(page)


def test_lesson_grow():
    """Curves and their values end at the moment that is shown."""
    cli("worksheet", "1-gate", "--html", "gate.html")
    data = data_of("gate.html")
    step = data["steps"][0]
    panel, = [panel for panel in step["panels"] if panel["id"] == "error"]
    curve, = [one for one in panel["curves"] if one["id"] == "error.valid"]
    xs = data["columns"][curve["x"]]
    with opened("gate.html") as page:
        for moment in (0, 1, 2, 11):
            page.evaluate(f"document.querySelector('.time input').value = {moment};"
                          "document.querySelector('.time input').dispatchEvent(new Event('input'))")
            last = [y for x, y in zip(xs, curve["y"]) if x <= step["moments"][moment]][-1:]
            told = page.evaluate("[...document.querySelectorAll('.legend button')]"
                                 ".find(b => b.innerText.startsWith('validation')).lastChild.innerText")
            drawn = page.evaluate("document.querySelector(\"[data-name='error.valid']\").style.clipPath")
            rect = re.search(r"#([^\")]*)", drawn)
            width = rect and float(page.call("id => document.getElementById(id).firstChild.getAttribute('width')",
                                             rect[1]))
            share = ([x for x in xs if x <= step["moments"][moment]] or [0])[-1] / panel["x"]["hi"]
            assert (width is None) == (moment == 11), (moment, width)
            assert width is None or abs(width - panel["plot"][2] * share) < 2, (width, share)
            assert [float(word) for word in told.split()[:1]] == [float(f"{y:.4g}") for y in last], (told, last)


def script(*parts):
    """Functions of the page's script, by their beginnings, in a scope that returns the last names."""
    text = ""
    for name in ("predict.js", "steps.js"):
        with open(os.path.join(SCRIPTS, name), encoding="utf-8") as file:
            text += file.read()
    found = [re.search(r"^%s.*?%s" % (re.escape(part), "^}$" if part.startswith("function") else ";.*?$"), text,
                       re.M | re.S)[0] for part in parts[:-1]]
    return "\n".join(found) + "\nreturn " + parts[-1] + ";"


def distance(curve, along, measured):
    """Mean distance of a drawn curve, as core/run/lesson has it."""
    total = 0.0
    for x, y in zip(measured[::2], measured[1::2]):
        t = (x - along[0]) / (along[1] - along[0]) * (POINTS - 1)
        i = int(min(max(t, 0), POINTS - 2))
        total += abs(y - (curve[i] + (curve[i + 1] - curve[i]) * (t - i)))
    return total / (len(measured) // 2)


def test_lesson_marks():
    """The page marks many guesses as the program does."""
    data = data_of(small())
    file = json.loads(data["file"])
    choice, number, curve = file["answers"]
    measured = data["steps"][2]["question"]["measured"]
    chance = random.Random(3)
    people, paths = [], []
    edges = [number["measured"] + sign * 2.0 * factor for sign in (-1, 1) for factor in (1, 1 - 1e-12, 1 + 1e-12)]
    for i in range(60):
        lift, noise = chance.uniform(-2, 2), chance.choice((0, 0.1, 3))
        drawn = [min(10, max(0, (curve["measured"][k] or 3.5) + lift + chance.uniform(-noise, noise)))
                 for k in range(POINTS)]
        people.append([dict(choice, guess=1 + i % 3), dict(number, guess=edges[i] if i < 6 else chance.uniform(0, 20)),
                       dict(curve, guess=drawn)])
    with opened("small.html") as page:
        told = page.call("(people, measured) => {" + script("const POINTS", "const inside", "function distance",
                                                            "function markOf", "{ distance, markOf }").replace(
            "return {", "const { distance: far, markOf: mark } = {") + """
            return people.map(answers => { answers[2].off = far(answers[2].guess, answers[2].along, measured);
              return [answers[2].off].concat(answers.map(mark)); }); }""", people, measured)
    for i, (off, *_) in enumerate(told):
        people[i][2]["off"] = off
        assert math.isclose(off, distance(people[i][2]["guess"], curve["along"], measured), rel_tol=1e-12)
        paths.append(written(f"person{i:02}.json", json.dumps(dict(file, name=f"{i:02}", answers=people[i]))))
    rows = merged(*paths)
    for row, (_, *marks) in zip(rows, told):
        assert [row[f"step{step}_right"] for step in (1, 2, 3)] == [MARKS[mark] for mark in marks], (row, marks)
    for place in (1, 2, 3):
        assert {mark[place] for mark in told} == {True, False}, place


def test_lesson_hostile():
    """Texts of others stay texts."""
    other = "</script></title><img src=x onerror=alert(1)>\"'&amp;<b>🦊\u202e" + "x" * 500
    with opened(small(other), width=360) as page:
        assert other.rstrip() in words(page, ".text"), words(page, ".text")
        assert not has(page, "article img, article b, body > b")
        for _ in range(3):
            page.click(".skip")
            page.click("nav .act")
        page.click("nav .act")
        assert other in words(page)
        check_common(page, sheets=6)


def test_lesson_looks():
    """Every step of a lesson of the program is named, fits on a phone, and is legible in light, dark and in print."""
    cli("worksheet", "1-gate", "--html", "gate.html")
    assert os.path.getsize("gate.html") < 2 << 20
    with opened("gate.html") as page:
        for number in range(7):
            check_common(page, sheets=3)
            if has(page, ".ask .skip"):
                page.click(".ask .skip")
                check_common(page, sheets=3)
            if number < 6:
                page.click("nav .act")
        assert title(page) == "The lesson is over"


def test_lesson_language():
    """A page is in the language of its maker; the file of answers is the same in all."""
    files = []
    spoken = {"en": "Next", "de": "Weiter"}
    if not os.path.exists(os.path.join(CATALOGUES, "de")):
        del spoken["de"]
    for language, onward in spoken.items():
        cli("worksheet", "13-paths", "--html", "paths.html", env=dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE=language,
                                                                         SLUICE_LOCALEDIR=CATALOGUES))
        with opened("paths.html") as page:
            assert words(page, "nav .act") == onward, words(page, "nav .act")
            assert page.evaluate("document.documentElement.lang") in ("en", language)
        files.append(json.loads(data_of("paths.html")["file"]))
    assert files[0] == files[-1] and files[0]["answers"]
