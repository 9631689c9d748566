# SPDX-License-Identifier: MIT
"""The page of a run: its values, names, zoom, moments and way back."""

import base64
import csv
import gzip
import json
import re
import statistics

from checks import check_common, complaints

ERROR = "section[aria-label='Error']"
CHANGED = ["run", "experts", "-q", "--data", "moons:points=400", "--steps", "600", "--at", "300:k=4", "--seed", "3"]


def begin(browser, program):
    """Takes the browser and the command line of all tests."""
    global BROWSER, cli
    BROWSER, cli = browser, program


def opened(name, **look):
    """A page that has drawn itself."""
    page = BROWSER.open(name, **look)
    page.wait("document.documentElement.dataset.ready !== undefined")
    return page


def made(*words):
    """A page of a run, and its samples by channel: {channel: {step: value}}."""
    cli(*CHANGED, "--moments", "6", "--html", "run.html", "--csv", "run.csv", *words)
    samples = {}
    with open("run.csv", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            for channel, value in row.items():
                if channel != "step" and value:
                    samples.setdefault(channel, {})[float(row["step"])] = float(value)
    return samples


def read(page, panel):
    """What the names of a panel's curves say: {name: value}."""
    return page.call("""panel => Object.fromEntries([...document.querySelectorAll(panel + ' .legend button')].map(
        name => [name.childNodes[1].textContent, name.querySelector('.value').textContent]))""", panel)


def number(text):
    """The number at the beginning of a text that is to be read."""
    found = re.match(r"([−\d.e]+)(?: ([kM]))?", text)
    return float(found[1].replace("−", "-")) * {"k": 1e3, "M": 1e6, None: 1}[found[2]]


def ticks(page, panel):
    """The numbers along x."""
    return page.call("""panel => [...document.querySelectorAll(panel + " [data-name='axes-x'] text")]
        .map(text => text.textContent)""", panel)


def test_values():
    """What is read at an update are the samples of the run, at its ends and on the way, by keys and by the mouse."""
    samples = made()
    with opened("run.html") as page:
        page.call("panel => document.querySelector(panel + ' .plot').focus()", ERROR)
        for keys, step in ((["Home"], 1), (["ArrowRight"] * 3, 30), (["End"], 600), (["ArrowLeft"], 590)):
            for key in keys:
                page.key(key)
            at = page.evaluate(f"document.querySelector(\"{ERROR} .at\").textContent")
            assert at.startswith(f"update {step}"), (at, step)
            said = number(read(page, ERROR)["training, with noise"])
            true = samples["error.train"][step]
            assert abs(said - true) <= 6e-4 * abs(true) + 1e-12, (step, said, true)
        for share in (0.3, 0.5, 0.8):
            page.move((ERROR + " svg", share, 0.5))
            step = float(re.sub(r"\D", "", page.evaluate(f"document.querySelector(\"{ERROR} .at\").textContent")))
            said, true = number(read(page, ERROR)["training, with noise"]), samples["error.train"][step]
            assert abs(said - true) <= 6e-4 * abs(true) + 1e-12, (step, said, true)
            cv = number(read(page, "section[aria-label='Load spread (CV)']")["importance"])
            assert abs(cv - samples["cv.importance"][step]) <= 6e-4 * cv, "panels over one x are not read together"
        assert page.evaluate("document.querySelectorAll('.cursor path').length") >= 3


def test_names():
    """A name switches its curve, and the others stay."""
    made()
    with opened("run.html") as page:
        shown = "[...document.querySelectorAll(\"%s [data-name='curves'] > g\")].map(g => getComputedStyle(g).display)"
        before = page.evaluate(shown % ERROR)
        page.click(ERROR + " .legend button")
        assert page.evaluate(f"document.querySelector(\"{ERROR} .legend button\").ariaPressed") == "false"
        after = page.evaluate(shown % ERROR)
        assert before.count("none") == 0 and 1 <= after.count("none") < len(after), (before, after)
        page.click(ERROR + " .legend button")
        assert page.evaluate(shown % ERROR) == before


def test_zoom():
    """A range that is dragged, pinched or typed is shown with its own ticks, in all panels over updates."""
    made()
    other = "section[aria-label='Load spread (CV)']"
    with opened("run.html") as page:
        whole = ticks(page, ERROR)
        line = f"document.querySelector(\"{ERROR} [data-name='curves'] path\").getAttribute('d')"
        before = page.evaluate(line)
        page.drag((ERROR + " svg", 0.4, 0.5), (ERROR + " svg", 0.6, 0.5))
        near = [float(tick) for tick in ticks(page, ERROR)]
        assert near == sorted(near) and len(near) >= 3, near
        assert near[-1] - near[0] < (float(whole[-1]) - float(whole[0])) / 2, (whole, near)
        assert [float(tick) for tick in ticks(page, other)] == near and page.evaluate(line) != before
        page.double_click((ERROR + " svg", 0.5, 0.5))
        assert ticks(page, ERROR) == whole and page.evaluate(line) == before
        page.key("+")
        assert len(ticks(page, ERROR)) >= 3 and ticks(page, ERROR) != whole
        page.key("Escape")
        assert ticks(page, other) == whole
        page.look(mobile=True)
        page.fingers("touchStart", (ERROR + " svg", 0.45, 0.5), (ERROR + " svg", 0.55, 0.5))
        page.fingers("touchMove", (ERROR + " svg", 0.3, 0.5), (ERROR + " svg", 0.7, 0.5))
        page.fingers("touchEnd")
        assert ticks(page, ERROR) != whole
        page.click(ERROR + " .reset")
        assert ticks(page, ERROR) == whole


def test_deepest():
    """However often one zooms, updates stay along x, and less than two of them are not shown."""
    made()
    with opened("run.html") as page:
        page.call("panel => document.querySelector(panel + ' .plot').focus()", ERROR)
        for key in ["Home"] + ["ArrowRight"] * 3 + ["+"] * 30 + ["ArrowRight"] * 2:
            page.key(key)
        assert len(ticks(page, ERROR)) >= 2, ticks(page, ERROR)
        page.key("+")
        assert len(ticks(page, ERROR)) >= 2, ticks(page, ERROR)
        page.key("Escape")
        assert page.evaluate(f"document.querySelector(\"{ERROR} .reset\").hidden")


def test_past():
    """A panel of a moment stays at that moment while its curves are switched and zoomed; values of the end are not read
    there."""
    made("--plot", "why-value,error=past.html")
    margin = "section[aria-label='Margin of the selected expert']"
    drawing = f"""[...document.querySelectorAll("{margin} svg [data-name='curves'] path")]
        .map(path => path.getAttribute('d')).join()"""
    with opened("past.html") as page:
        end = page.evaluate(drawing)
        page.move((margin + " svg", 0.5, 0.5))
        assert all(read(page, margin).values()) and page.evaluate(f"document.querySelector(\"{margin} .at\").textContent")
        page.click(margin + " .legend button")
        page.click(margin + " .legend button")
        assert page.evaluate(drawing) == end
        page.call("panel => document.querySelector(panel + ' .plot').focus()", margin)
        page.key("+")
        assert page.evaluate(drawing) not in ("", end) and len(ticks(page, margin)) >= 3
        page.call("() => document.querySelector('.time input').focus()")
        page.key("ArrowLeft")
        past = page.evaluate(drawing)
        assert past not in ("", end) and page.evaluate(f"document.querySelector(\"{margin} .reset\").hidden")
        page.click(margin + " .legend button")
        page.click(margin + " .legend button")
        page.move((margin + " svg", 0.5, 0.5))
        page.key("+")
        assert page.evaluate(drawing) == past and not any(read(page, margin).values())
        page.call("() => document.querySelector('.time input').focus()")
        page.key("End")
        assert page.evaluate(drawing) == end
        page.move((margin + " svg", 0.6, 0.5))
        assert all(read(page, margin).values())


def test_moments():
    """The slider goes through training, with the picture of each example; how quick a step is, is printed."""
    made()
    with opened("run.html") as page:
        picture = "document.querySelector('.wide svg').textContent + document.querySelector('.wide svg').innerHTML.length"
        says = "document.querySelector('.time output').textContent"
        assert page.evaluate(says) == "update 600"
        end = page.evaluate(picture)
        page.call("() => document.querySelector('.time input').focus()")
        page.key("Home")
        assert page.evaluate(says) == "update 0" and page.evaluate(picture) != end
        label = "document.querySelector('.wide .plot svg').getAttribute('aria-label')"
        note = page.evaluate("document.querySelector('.wide .note').textContent")
        assert note != "" and page.evaluate(label).endswith(note), (page.evaluate(label), note)
        page.click(".examples button:nth-child(2)")
        assert page.evaluate("document.querySelector('.examples [aria-checked=true]').textContent").startswith("2")
        page.key("ArrowRight")
        assert page.evaluate("document.activeElement.textContent").startswith("3")
        page.click(".time button")
        page.wait(says + " === 'update 600'")
        page.wait("document.querySelector('.time button').textContent === 'Play'")
        for example in range(1, 9):
            page.click(f".examples button:nth-child({example})")
            note = page.evaluate("document.querySelector('.wide .note').textContent")
            true = page.evaluate("[...document.querySelectorAll('.wide svg text[font-weight=bold]')].pop().textContent")
            assert f"{true}, which is right" in note or f"{true} is right" in note, (example, true, note)
        page.click(".examples button")
        page.call("() => document.querySelector('.time input').focus()")
        for key in ["Home"] + ["ArrowRight"] * 5:
            page.key(key)
        assert page.evaluate(picture) == end, "a moment is not what it was"
        took = [page.cost(lambda: page.key("ArrowLeft")).script for _ in range(4)]
        print(f"# a step of the moments: {statistics.median(took):.1f} ms of script, at most {max(took):.1f}")


def test_no_numbers():
    """Values that a file has changed to none, to what is infinite or below a logarithmic axis are left out."""
    made("--json", "run.json")
    with open("run.json", encoding="utf-8") as file:
        run = json.load(file)
    for channel in run["channels"]:
        values = channel.get("value", [])
        for at, value in zip(range(3, len(values)), ("1e999", "null", "-1", "-1e300", "0", "-1e999")):
            values[at] = f"#{value}#"
    with open("run.json", "w", encoding="utf-8") as file:
        file.write(re.sub(r'"#(.*?)#"', r"\1", json.dumps(run)))
    cli("plot", "run.json", "all=changed.html")
    with opened("changed.html") as page:
        for number in range(page.evaluate("document.querySelectorAll('.plot.reads').length")):
            page.call("number => document.querySelectorAll('.plot.reads')[number].focus()", number)
            for key in ["Home"] + ["ArrowRight"] * 4 + ["+"] * 3 + ["Escape"]:
                page.key(key)
        assert not complaints(page), complaints(page)


def test_one_moment():
    """Where a run was stopped before its second moment, the page says of which update its pictures are."""
    made()
    with open("run.html", encoding="utf-8") as file:
        head, packed, tail = re.split(r'(?<=id="data">)([^<]*)', file.read(), maxsplit=1)
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    for panel in data["panels"]:
        if "views" in panel:
            for what in ("shots", "notes"):
                panel[what] = panel[what][::len(data["moments"])]
    del data["moments"][1:]
    with open("one.html", "w", encoding="utf-8") as file:
        file.write(head + base64.b64encode(gzip.compress(json.dumps(data).encode())).decode() + tail)
    with opened("one.html") as page:
        assert page.evaluate("document.querySelector('.time').textContent").endswith("update 0")
        assert page.evaluate("document.querySelectorAll('.time input, .time button').length") == 0
        page.click(".examples button:nth-child(2)")
        check_common(page, sheets=1)


def test_back():
    """The page is the run again: by its recipe, its command and the file itself."""
    made()
    with opened("run.html") as page:
        page.click("section[aria-label='The same again'] dd.alone button")
        page.settle()
        recipe = page.clipboard()
        command = page.evaluate("document.querySelectorAll('.back code')[1].textContent")
    assert recipe.strip() == cli("plot", "run.html", "--recipe").stdout.strip()
    assert command == cli("replay", "run.html", "--command").stdout.strip()
    cli("replay", "run.html", "-q", "--csv", "again.csv")
    with open("run.csv", "rb") as one, open("again.csv", "rb") as other:
        assert one.read() == other.read()


def test_common():
    """Pages of runs complain of nothing, name everything, and are one sheet of paper."""
    made()
    with opened("run.html") as page:
        check_common(page, sheets=1)
    for lab in ("sign-estimator", "capacity", "routing"):
        cli("run", lab, "-q", "--steps", "4", "--moments", "3", "--html", lab + ".html")
        with opened(lab + ".html") as page:
            check_common(page, sheets=1)


def test_hostile():
    """Names of classes are texts, whatever is in them."""
    bad = "</script><img src=x onerror=alert(1)>"
    with open("bad.csv", "w", encoding="utf-8") as table:
        table.write("x,y,class\n")
        for i in range(120):
            table.write(f"{i % 7},{i % 5},{bad if i % 2 else 'z' * 300}\n")
    cli("run", "experts", "-q", "--data", "bad.csv", "--steps", "20", "--moments", "2", "--html", "bad.html")
    with opened("bad.html", width=360) as page:
        assert page.evaluate("document.querySelectorAll('img').length") == 0
        assert bad[:20] in page.evaluate("document.body.textContent")
        check_common(page, sheets=2)
