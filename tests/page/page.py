#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Web pages that Sluice writes, in a browser.  Arguments: sluice-cli."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

from browser import Browser, PageError  # noqa: E402
from checks import brightness, check_common, complaints, overflows, pale, unnamed  # noqa: E402
from common import run_tests, runner  # noqa: E402
import compared  # noqa: E402
import lessons  # noqa: E402
import runs  # noqa: E402
from pipe import BrowserError, program  # noqa: E402

PAGES = [runs, compared, lessons]
cli = runner(os.path.abspath(sys.argv[1]))
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Hands</title>
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  :root { color-scheme: light dark; }
  body { font: 16px sans-serif; background: #fff; color: #222; }
  @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
  svg { width: 300px; height: 100px; touch-action: none; display: block; }
</style></head><body><h1>Hands</h1>"""
GOOD = HEAD % POLICY + """
<p><button id="save">Save</button> <button disabled>Later</button> <button id="copy">Copy</button>
  <input aria-label="Name" id="name"></p>
<svg role="img" aria-label="A field"><rect width="300" height="100" fill="#888"></rect></svg>
<a href="data:," download="table.csv" id="link">the table</a>
<script>
  'use strict';
  const told = [];
  const field = document.querySelector('svg');
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'dblclick'])
    field.addEventListener(kind, event => {
      const box = field.getBoundingClientRect();
      told.push([kind, event.pointerType || '', Math.round(event.clientX - box.x), Math.round(event.clientY - box.y)]);
    });
  document.addEventListener('keydown', event => told.push(['key', (event.shiftKey ? 'Shift+' : '') + event.key]));
  document.querySelector('#save').addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(['x,y\\n1,2\\n'], {type: 'text/csv'}));
    link.download = 'values.csv';
    link.click();
  });
  document.querySelector('#copy').addEventListener('click', () => navigator.clipboard.writeText('--set k=4'));
</script>"""


def written(name, text):
    """A file of the test's folder."""
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def opened(text, **look):
    """A page by its text."""
    return BROWSER.open(written("page.html", text), **look)


def test_hands():
    """The harness: keys, mouse, fingers, files and the clipboard reach a page and come from it."""
    with opened(GOOD) as page:
        page.drag(("svg", 0.1, 0.5), ("svg", 0.7, 0.5), steps=3)
        page.double_click(("svg", 0.5, 0.25))
        told = page.evaluate("told.splice(0)")
        assert [row for row in told if row[0] == "pointerdown"][0] == ["pointerdown", "mouse", 30, 50], told
        assert ["pointermove", "mouse", 210, 50] in told and told[-1][:3] == ["dblclick", "", 150], told
        page.look(mobile=True)
        page.tap("svg")
        page.swipe(("svg", 0.2, 0.5), ("svg", 0.4, 0.5))
        page.fingers("touchStart", ("svg", 0.2, 0.5), ("svg", 0.8, 0.5))
        page.fingers("touchEnd")
        told = page.evaluate("told.splice(0)")
        assert told[0] == ["pointerdown", "touch", 150, 50] and ["pointermove", "touch", 120, 50] in told, told
        assert ["pointerdown", "touch", 240, 50] in told, told
        page.look(mobile=False)
        page.click("#name")
        page.type("k+ 4ü")
        page.key("ArrowLeft")
        page.key("Backspace")
        assert page.evaluate("document.querySelector('#name').value") == "k+ ü"
        page.key("Control+a")
        page.key("Control+x")
        assert page.clipboard() == "k+ ü" and page.evaluate("document.querySelector('#name').value") == ""
        page.key("Shift+Tab")
        assert page.focus().name == "Copy", page.focus()
        keys = [row[1] for row in page.evaluate("told.splice(0)") if row[0] == "key"]
        assert keys == ["k", "+", " ", "4", "ü", "ArrowLeft", "Backspace", "a", "x", "Shift+Tab"], keys
        page.key("Enter")
        page.settle()
        assert page.clipboard() == "--set k=4"
        assert page.download(lambda: page.click("#save")) == ("values.csv", b"x,y\n1,2\n")
        assert page.download(lambda: page.click("#link")) == ("table.csv", b"")
        page.wait("new Promise(done => setTimeout(() => done(true)))")
        assert not complaints(page), complaints(page)


def test_eyes():
    """The harness: light, dark, sizes, print, pictures and time are those of the page."""
    with opened(GOOD + "<p id='late'>late</p>", dark=True) as page:
        check_common(page, sheets=1)
        assert page.now["dark"]
        page.screenshot("light.png", dark=False, width=360, height=500, scale=2)
        with open("light.png", "rb") as file:
            picture = file.read()
        assert (int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")) == (720, 1000)
        bright = brightness(page)
        page.look(dark=False, height=100)
        page.settle()
        assert bright < 0.3 < 0.6 < brightness(page), bright
        page.screenshot("whole.png", whole=True)
        with open("whole.png", "rb") as file:
            high = int.from_bytes(file.read(24)[20:], "big")
        assert high == page.evaluate("document.documentElement.scrollHeight") > 100, high
        for look, query in (("dark", "(prefers-color-scheme: dark)"), ("reduced", "(prefers-reduced-motion: reduce)"),
                            ("contrast", "(prefers-contrast: more)"), ("forced", "(forced-colors: active)"),
                            ("print", "print"), ("mobile", "(pointer: coarse)")):
            for on in (True, False):
                page.look(**{look: on})
                assert page.call("query => matchMedia(query).matches", query) is on, (query, on)
        page.evaluate("addEventListener('keyup', () => { for (let i = 0, n = 0; i < 3e6; i++) window.sum = n += i; })")
        busy = page.cost(lambda: page.key("ArrowUp"))
        idle = page.cost(page.settle)
        assert 5 < busy.script <= busy.task and idle.script < 5, (busy, idle)
        clock, cost = page.opening()
        assert clock > 0 and cost.task > 0
        page.evaluate("document.querySelector('#late').style.breakBefore = 'page'")
        assert page.pdf("two.pdf") == 2


def test_complaints():
    """The harness: what no page may do does not go unseen."""
    asks = """<img alt="seen" src="https://an.example/image.png">
      <script>fetch('http://another.example/fetch').catch(() => 0);
      new WebSocket('wss://a.example/socket').onerror = () => 0;</script>"""
    faults = """<button id="dumb"></button><img src="data:,"><div tabindex="0">stop</div><p style="color: #bbb">pale</p>
      <p style="width: 400px" id="broad">broad</p>
      <script>console.error('one', 2); Promise.reject(new Error('refused'));
      setTimeout(() => { throw Error('thrown'); });
      alert('hello'); document.querySelector('#dumb').addEventListener('click', () => open('about:blank'));</script>"""
    with opened(GOOD + asks + faults, width=360) as page:
        page.click("#dumb")
        BROWSER.pipe.wait(lambda: BROWSER.popups, "a window")
        page.wait("new Promise(done => setTimeout(() => done(true)))")
        said = complaints(page)
        for part in ("error: one 2", "exception: Error: refused", "exception: Error: thrown", "alert: hello",
                     "violation of img-src: https://an.example/image.png",
                     "violation of connect-src: http://another.example",
                     "violation of connect-src: wss://a.example", "window: "):
            assert any(line.startswith(part) for line in said), (part, said)
        assert not page.reached, page.reached
        BROWSER.popups.clear()
        assert sorted(unnamed(page)) == ["button", "generic with the focus", "image"], unnamed(page)
        assert [line.partition(":")[0] for line in pale(page)] == ["pale"], pale(page)
        page.look(dark=True)
        assert pale(page) == [], pale(page)
        for mobile in (False, True):
            page.look(mobile=mobile)
            assert overflows(page)[0].startswith("P broad to 408"), overflows(page)
        page.look(width=412, mobile=False)
        assert not overflows(page), overflows(page)
        page.look(height=100)
        assert overflows(page)[0].startswith("P broad to 408"), overflows(page)
        try:
            page.evaluate("Promise.reject(new TypeError('no'))")
        except PageError as error:
            assert str(error).startswith("TypeError: no"), error
        else:
            raise AssertionError("a promise that is broken is no error")
    with opened(HEAD % "" + asks) as page:
        BROWSER.pipe.wait(lambda: len(page.reached) >= 3, "three requests")
        assert len(set(page.requests)) == 3 and not page.violations, page.requests
        assert any("GET http://another.example/fetch" in line for line in page.reached), page.reached


def test_checks():
    """The harness: each fault alone is enough for a page to fail."""
    for fault in ("<button></button>", "<p>one</p><p style='break-before: page'>two</p>",
                  "<p style='color: #bbb'>pale</p>", "<p style='opacity: 0.5'>paler</p>",
                  "<div style='width: 400px'>x</div>",
                  "<style>body { background: #fff !important; color: #222 !important }</style>",
                  "<style>body { background: #111 !important; color: #ddd !important }</style>",
                  "<script>document.querySelector('meta[name=viewport]').content = 'width=980'</script>",
                  "<script>console.warn('careful')</script>", "<script>console.error('wrong')</script>",
                  "<script>alert('hello')</script>", "<script>throw new Error('wrong')</script>",
                  "<img alt='' src='an.png'>", "<link rel='stylesheet' href='https://an.example/style.css'>",
                  "<iframe title='a frame' src='https://an.example/'></iframe>"):
        with opened(GOOD + fault) as page:
            try:
                check_common(page, sheets=1)
            except AssertionError:
                continue
            raise AssertionError(f"nothing is wrong with {fault}")


def main():
    """The tests with one browser, which ends with them, whatever ends them."""
    global BROWSER
    if program() is None:
        print("1..0 # SKIP chromium is not installed: apt-get install chromium")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with Browser() as BROWSER:
            tests = dict(globals())
            for module in PAGES:
                module.begin(BROWSER, cli)
                tests.update(vars(module))
            return run_tests(tests)
    except BrowserError as error:
        print(f"Bail out! {error}")
        return 1


sys.exit(main())
