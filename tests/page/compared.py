# SPDX-License-Identifier: MIT
"""The page of runs that are compared: its points, its table, and what is selected there."""

import csv
import os

from checks import check_common

MADE = ["sweep", "experts", "-q", "--data", "moons:points=400", "--steps", "120", "--axis", "k=1,2,4",
        "--axis", "gate=noisy,balanced", "--seeds", "1-2", "--store", "sweep.sluice", "--html", "sweep.html"]
RUNS = 12
TRADE = "section[aria-label='Error against cost']"
CURVES = ".panel:nth-child(2)"
ROWS = "tbody tr:not(.hidden)"


def begin(browser, program):
    """Takes the browser and the command line of all tests."""
    global BROWSER, cli
    BROWSER, cli = browser, program


def opened(name="sweep.html", **look):
    """A page that has drawn itself; that of the sweep is made once."""
    if not os.path.exists("sweep.html"):
        cli(*MADE)
    page = BROWSER.open(name, **look)
    page.wait("document.documentElement.dataset.ready !== undefined")
    return page


def said(page, panel=TRADE):
    """What a panel says of what the pointer is at."""
    return page.evaluate(f"document.querySelector(\"{panel} .at\").textContent")


def column(page, title):
    """The texts of a column, of the rows that are listed."""
    return page.call("""(title, rows) => {
        const at = [...document.querySelectorAll('th')].findIndex(th => th.textContent.startsWith(title));
        return [...document.querySelectorAll(rows)].map(row => row.children[at].textContent); }""", title, ROWS)


def sort(page, title):
    """Clicks the head of a column."""
    at = page.call("title => [...document.querySelectorAll('th')].findIndex(th => th.textContent.startsWith(title))",
                   title)
    page.click(f"th:nth-child({at + 1}) button")
    return page.evaluate(f"document.querySelector('th:nth-child({at + 1})').ariaSort")


def shown(page, panel=CURVES):
    """The names of the runs whose curves are drawn in a panel."""
    return page.call("""panel => [...document.querySelectorAll(panel + " [data-name^='run-']")].filter(group =>
        getComputedStyle(group).display !== 'none' && group.querySelector('path'))
        .map(group => Number(/run-(\\d+)/.exec(group.dataset.name)[1]))""", panel)


def read_points():
    """The points of the same trade-off as a table."""
    cli("plot", "sweep.sluice", "trade=trade.csv")
    with open("trade.csv", encoding="utf-8") as table:
        rows = [row for row in csv.reader(table) if not row[0].startswith("# ")]
    heads = rows[0]
    return [dict(zip(heads, row)) for row in rows[1:] if row[0]]


def near(text, value):
    """Whether a text has this number, to the digits that it has."""
    return abs(float(text) - value) <= 6e-4 * abs(value)


def test_sweep_points():
    """Each point says what the table of the trade-off has of it, by keys and by the mouse."""
    with opened() as page:
        points = read_points()
        assert len(points) == RUNS / 2
        page.call("trade => document.querySelector(trade + ' .plot').focus()", TRADE)
        seen = []
        for _ in points:
            page.key("ArrowRight")
            text = said(page)
            point = next(point for point in points if text.startswith(point["point"] + ","))
            x, y = (float(point[head]) for head in list(point)[2:5:2])
            assert near(text.split("multiplications ")[1].split(" ")[0], x), (text, point)
            assert near(text.split("test error ")[1].split(" ")[0], y), (text, point)
            assert f"mean of {point['n']}" in text, text
            assert ("on the front" in text) == (point["on the front"] == "1"), (text, point)
            assert ("the knee" in text) == (point["knee"] == "1"), (text, point)
            seen.append(x)
        assert seen == sorted(seen) and len(set(seen)) == len(points), seen
        last = text
        ring = page.evaluate(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector("
                             f"\"{TRADE} .cursor circle\").getBoundingClientRect())")
        page.key("ArrowLeft")
        assert said(page) != last
        page.move(ring)
        assert said(page) == last
        page.move("h1")
        assert said(page) == ""


def test_sweep_selection():
    """Points and boxes select runs, and only their curves are drawn."""
    with opened() as page:
        assert sorted(shown(page)) == list(range(1, RUNS + 1))
        page.call("trade => document.querySelector(trade + ' .plot').focus()", TRADE)
        page.key("ArrowRight")
        page.key("Enter")
        first = [i + 1 for i in range(RUNS) if page.evaluate(f"document.querySelectorAll('tbody input')[{i}].checked")]
        assert len(first) == 2 and shown(page) == first, (first, shown(page))
        panels = page.evaluate("document.querySelectorAll('.panels > .panel').length")
        assert shown(page, f".panel:nth-child({panels})") == first
        names = page.evaluate(f"[...document.querySelectorAll(\"{CURVES} .legend button:not(.hidden)\")].length")
        assert names == 2
        other = next(i for i in range(1, RUNS + 1) if i not in first)
        page.click(f"tbody tr:nth-child({other}) input")
        assert shown(page) == sorted(first + [other])
        assert page.evaluate("document.querySelector('output').textContent") == f"{RUNS} of {RUNS} runs, 3 selected"
        page.click(f"tbody tr:nth-child({other}) input")
        page.key("Escape")
        page.click("thead input")
        assert sorted(shown(page)) == list(range(1, RUNS + 1))


def test_sweep_table():
    """Columns sort either way, words and comparisons filter, and what is listed can be selected."""
    with opened() as page:
        before = column(page, "test error")
        assert len(before) == RUNS
        assert sort(page, "test error") == "ascending"
        rising = column(page, "test error")
        assert sorted(map(float, before)) == list(map(float, rising))
        assert sort(page, "test error") == "descending"
        assert column(page, "test error") == rising[::-1]
        assert sort(page, "Gate") == "ascending"
        assert column(page, "Gate") == ["balanced"] * 6 + ["noisy"] * 6
        assert page.evaluate("document.querySelectorAll('th[aria-sort]').length") == 1
        for line, rows in (("noisy", 6), ("k>1", 8), ("k<=2", 8), ("k>=2 k<4 bal", 2), ("seed=2", 6), ("gate!=noisy K=1", 2),
                           ("k>9", 0), ("nothing", 0), ("", RUNS)):
            page.call("""line => { const field = document.querySelector('.tools input');
                field.value = line;
                field.dispatchEvent(new Event('input')); }""", line)
            assert len(column(page, "Gate")) == rows, (line, column(page, "Gate"))
        page.click(".tools input")
        page.type("k=4 noisy")
        page.click("thead input")
        assert len(shown(page)) == 2
        commands = column(page, "Command")
        assert len(commands) == 2 and all("--set k=4" in line and "--steps 120" in line for line in commands), commands
        assert "--axis k=1,2,4 " in page.evaluate("document.querySelector('.back code').textContent")


def test_sweep_pointer():
    """The curve at the pointer is named with its value, and so are its row and its point."""
    with opened() as page:
        page.click("tbody tr:nth-child(3) input")
        page.move((CURVES + " svg", 0.6, 0.5))
        run = shown(page)[0]
        value = page.evaluate(f"document.querySelector(\"{CURVES} .legend button:not(.hidden) .value\").textContent")
        assert said(page, CURVES).startswith("update ") and said(page, CURVES).endswith(": " + value), said(page, CURVES)
        assert page.evaluate(f"document.querySelector('tbody tr:nth-child({run})').classList.contains('named')")
        assert said(page) != ""
        page.move("h1")
        assert page.evaluate("document.querySelectorAll('.named').length") == 0 and said(page) == ""


def test_sweep_common():
    """Nothing to complain about at any size, in light, dark and print, with whatever names runs have."""
    with opened():
        pass
    cli("runs", "sweep.sluice", "rename", cli("runs", "sweep.sluice").stdout.split()[0],
        "</script><img src=x onerror=alert(1)>" + "🦦" * 40)
    cli("plot", "sweep.sluice", "--html", "named.html")
    for name in ("sweep.html", "named.html"):
        with opened(name) as page:
            check_common(page, sheets=4)
            boxes = [node.name for node in page.tree() if node.role == "checkbox"]
            assert len(set(boxes)) == RUNS + 1, boxes
            assert page.evaluate("document.querySelectorAll('main img, main script').length") == 0


def test_sweep_of_one():
    """A store with one chosen run becomes the page of that run."""
    with opened():
        pass
    run = cli("runs", "sweep.sluice").stdout.split()[0]
    cli("plot", "sweep.sluice", "--run", run, "--html", "one.html")
    with opened("one.html") as page:
        assert page.evaluate("document.querySelector('#sluice-recipe') !== null && !document.querySelector('table')")
    cli("plot", "sweep.sluice", "--html", "page.svg", code=2)
    cli(*MADE[:MADE.index("--store")], "--html", "without.html", code=2)
