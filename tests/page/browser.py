# SPDX-License-Identifier: MIT
"""A page in a headless Chromium, with a reader's hands and eyes.

    with Browser() as browser, browser.open("run.html", width=360, dark=True) as page:
        page.click("button.play")
        page.drag(("svg.panel", 0.2, 0.5), ("svg.panel", 0.6, 0.5))
        page.evaluate("document.title")

A place is a point (x, y) in the window, a selector of the element whose middle it is, or (selector, fx, fy) with
fractions of its box; elements are scrolled into view.  Times are in ms, sizes in CSS px.
"""

import base64
import collections
import json
import os
import pathlib
import subprocess
import time

from pipe import PATIENCE, BrowserError, Pipe

Node = collections.namedtuple("Node", "role name value states")
Cost = collections.namedtuple("Cost", "script style layout task")
PARTS = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration")
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
# What a key types, where it is not its own name, and its code of old.
KEYS = {"Enter": ("\r", 13), "Tab": ("", 9), "Escape": ("", 27), "Backspace": ("", 8), "Delete": ("", 46),
        "ArrowLeft": ("", 37), "ArrowUp": ("", 38), "ArrowRight": ("", 39), "ArrowDown": ("", 40),
        "Home": ("", 36), "End": ("", 35), "PageUp": ("", 33), "PageDown": ("", 34), " ": (" ", 32)}
LOOK = {"width": 1000, "height": 760, "scale": 1, "mobile": False, "dark": False, "reduced": False, "print": False,
        "contrast": False, "forced": False}


class PageError(Exception):
    """What a page's own script threw."""


class Browser:
    """One process for all pages of a test program."""

    def __init__(self):
        self.pipe = Pipe()
        self.pipe.listeners[None] = self._hear
        self._downloads = {}    # by their own number: [name, state]
        self.popups = []        # addresses of what pages opened beside themselves
        self._ours = set()
        self._folder = os.path.join(self.pipe.folder, "downloads")
        try:
            self.pipe.call("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])
            self._ours.update(target["targetId"] for target in self.pipe.call("Target.getTargets")["targetInfos"])
            self.popups.clear()
        except BaseException:
            self.pipe.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipe.close()

    def _hear(self, method, told):
        if method == "Target.targetCreated" and told["targetInfo"].get("openerId") is not None:
            self.popups.append(told["targetInfo"]["url"])
        elif method == "Browser.downloadWillBegin":
            self._downloads[told["guid"]] = [told["suggestedFilename"], "inProgress"]
        elif method == "Browser.downloadProgress" and told["guid"] in self._downloads:
            self._downloads[told["guid"]][1] = told["state"]

    def open(self, path, **look):
        """A page of its own profile, from a file; see Page.look()."""
        return Page(self, path, look)

    def downloaded(self, context, action):
        """The name and the bytes of the one file that `action` leaves."""
        before = set(self._downloads)
        self.pipe.call("Browser.setDownloadBehavior", behavior="allowAndName", browserContextId=context,
                       downloadPath=self._folder, eventsEnabled=True)
        action()
        self.pipe.wait(lambda: set(self._downloads) - before, "a download")
        number = (set(self._downloads) - before).pop()
        download = self._downloads[number]
        self.pipe.wait(lambda: download[1] != "inProgress", f"the end of the download of {download[0]}")
        if download[1] != "completed":
            raise BrowserError(f"the download of {download[0]} was {download[1]}")
        with open(os.path.join(self._folder, number), "rb") as file:
            return download[0], file.read()


class Page:
    """An open page.

    console     (level, text) of everything that was written, thrown or complained about
    requests    addresses of what it asked for, besides itself and data: and blob:
    violations  (directive, address) of what its Content-Security-Policy kept from happening
    dialogs     texts of alerts, which are dismissed
    reached     what came to the proxy since it was opened, from whomever
    """

    def __init__(self, browser, path, look):
        self.browser, self._pipe = browser, browser.pipe
        self.console, self.requests, self.violations, self.dialogs = [], [], [], []
        self.address = pathlib.Path(path).resolve().as_uri()
        self._before = len(self._pipe.reached_for)
        self._loaded = 0
        self._held = 0          # the button of the mouse that is down, and where it was last
        self._look = dict(LOOK)
        self._context = self._pipe.call("Target.createBrowserContext", disposeOnDetach=True,
                                        proxyServer=self._pipe.proxy, proxyBypassList="<-loopback>")["browserContextId"]
        try:
            target = self._pipe.call("Target.createTarget", url="about:blank", browserContextId=self._context)
            self._session = self._attach(target["targetId"])
            self.look(**look)
            self._navigate()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The page and what it kept are gone."""
        self._pipe.send("Target.disposeBrowserContext", browserContextId=self._context)

    @property
    def reached(self):
        """What came to the proxy since then."""
        return self._pipe.reached_for[self._before:]

    @property
    def now(self):
        """The present look, which look() takes back."""
        return dict(self._look)

    # Opening

    def _call(self, method, **parameters):
        return self._pipe.call(method, self._session, **parameters)

    def _attach(self, target):
        session = self._pipe.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._pipe.listeners[session] = self._hear
        self._watch(session)
        for domain in ("Page", "Accessibility", "DOM"):
            self._pipe.call(domain + ".enable", session)
        self._pipe.call("Performance.enable", session, timeDomain="threadTicks")
        return session

    def _watch(self, session):
        """Hears of what this session asks for and complains about, and what it opens inside."""
        for domain in ("Runtime", "Network", "Log", "Audits"):
            self._pipe.send(domain + ".enable", session)
        self._pipe.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self._pipe.send("Runtime.runIfWaitingForDebugger", session)

    def _navigate(self):
        told = self._call("Page.navigate", url=self.address)
        if told.get("errorText"):
            raise BrowserError(f"{self.address}: {told['errorText']}")
        self._pipe.wait(lambda: self._loaded, f"the end of loading {self.address}")
        self.settle()

    def reload(self):
        """The page from its file, once more."""
        self._loaded = 0
        self._call("Page.reload")
        self._pipe.wait(lambda: self._loaded, f"the end of loading {self.address} again")
        self.settle()

    def _hear(self, method, told):
        heard = getattr(self, "_hear_" + method.replace(".", "_"), None)
        if heard is not None:
            heard(told)

    def _hear_Page_loadEventFired(self, _):
        self._loaded += 1

    def _hear_Page_javascriptDialogOpening(self, told):
        self.dialogs.append(told["message"])
        self._pipe.send("Page.handleJavaScriptDialog", self._session, accept=False)

    def _hear_Runtime_consoleAPICalled(self, told):
        words = [str(word.get("value", word.get("description", word["type"]))) for word in told["args"]]
        self.console.append((told["type"], " ".join(words)))

    def _hear_Runtime_exceptionThrown(self, told):
        self.console.append(("exception", _thrown(told["exceptionDetails"])))

    def _hear_Log_entryAdded(self, told):
        entry = told["entry"]
        self.console.append((entry["level"], " ".join((entry["text"], entry.get("url", ""))).strip()))

    def _hear_Network_requestWillBeSent(self, told):
        address = told["request"]["url"]
        if address.partition("#")[0] != self.address and not address.startswith(("data:", "blob:")):
            self.requests.append(address)

    def _hear_Network_webSocketCreated(self, told):
        self.requests.append(told["url"])

    def _hear_Audits_issueAdded(self, told):
        details = told["issue"]["details"].get("contentSecurityPolicyIssueDetails")
        if details is not None:
            self.violations.append((details["violatedDirective"], details.get("blockedURL", "")))

    def _hear_Target_attachedToTarget(self, told):
        self._pipe.listeners[told["sessionId"]] = self._hear
        self._watch(told["sessionId"])

    # Looking

    def look(self, **look):
        """Sets what is named of LOOK and keeps the rest: the window's size, the scale of its pixels, a telephone's
        rules of layout and a touch screen (mobile), and what the reader prefers."""
        self._look.update(look)
        assert self._look.keys() == LOOK.keys(), sorted(set(self._look) - set(LOOK))
        now = self._look
        self._call("Emulation.setDeviceMetricsOverride", width=now["width"], height=now["height"],
                   deviceScaleFactor=now["scale"], mobile=now["mobile"])
        self._call("Emulation.setTouchEmulationEnabled", enabled=now["mobile"], maxTouchPoints=5)
        features = {"prefers-color-scheme": "dark" if now["dark"] else "light",
                    "prefers-reduced-motion": "reduce" if now["reduced"] else "no-preference",
                    "prefers-contrast": "more" if now["contrast"] else "no-preference",
                    "forced-colors": "active" if now["forced"] else "none"}
        self._call("Emulation.setEmulatedMedia", media="print" if now["print"] else "",
                   features=[{"name": name, "value": value} for name, value in features.items()])

    def settle(self):
        """Waits until what was changed is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def screenshot(self, path, whole=False, **look):
        """A picture (.png) of the window, or of the whole page, with another look for the moment of it."""
        before = self.now
        self.look(**look)
        self.settle()
        with open(path, "wb") as file:
            file.write(self.picture(whole))
        self.look(**before)

    def picture(self, whole=False, shrink=1):
        """The same as bytes, with fewer pixels where only colours are asked for."""
        size = self._call("Page.getLayoutMetrics")["cssContentSize" if whole else "cssLayoutViewport"]
        clip = {"x": size.get("x", size.get("pageX")), "y": size.get("y", size.get("pageY")), "scale": 1 / shrink,
                "width": size.get("width", size.get("clientWidth")),
                "height": size.get("height", size.get("clientHeight"))}
        return base64.b64decode(self._call("Page.captureScreenshot", format="png", clip=clip,
                                           captureBeyondViewport=whole)["data"])

    def pdf(self, path):
        """Prints on A4 as a reader who changes nothing would, without colours of backgrounds; the number of sheets."""
        told = self._call("Page.printToPDF", preferCSSPageSize=True, printBackground=False, paperWidth=8.27,
                          paperHeight=11.69)
        with open(path, "wb") as file:
            file.write(base64.b64decode(told["data"]))
        info = subprocess.run(["pdfinfo", path], capture_output=True, text=True, check=True).stdout
        return int(info.partition("Pages:")[2].split()[0])

    def tree(self):
        """What a screen reader is told: a list of Node in reading order."""
        nodes = {node["nodeId"]: node for node in self._call("Accessibility.getFullAXTree")["nodes"]}
        waiting = [next(iter(nodes))] if nodes else []
        told = []
        while waiting:
            node = nodes[waiting.pop()]
            waiting += [child for child in reversed(node.get("childIds", [])) if child in nodes]
            if not node["ignored"]:
                states = {state["name"]: state["value"].get("value") for state in node.get("properties", [])}
                told.append(Node(_said(node, "role"), _said(node, "name"), _said(node, "value"), states))
        return told

    def focus(self):
        """What has the keyboard's focus, or None when that is the page itself."""
        stops = [node for node in self.tree() if node.states.get("focused") and node.role != "RootWebArea"]
        return stops[-1] if stops else None

    # Script

    def evaluate(self, expression):
        """The value of an expression, of a promise's when it is kept; JSON's kinds only."""
        told = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                          userGesture=False)
        if "exceptionDetails" in told:
            raise PageError(_thrown(told["exceptionDetails"]))
        return told["result"].get("value")

    def call(self, function, *words):
        """What a function (its text) returns for these values."""
        return self.evaluate(f"({function})({', '.join(json.dumps(word) for word in words)})")

    def wait(self, expression, seconds=PATIENCE):
        """Waits until an expression is true, looked at in each frame."""
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise BrowserError(f"waited {seconds:g} s in vain for {expression}")
            self.settle()

    def cost(self, action):
        """What an action of the hands takes of the page's thread until it is drawn, in ms of the processor: script of
        its listeners and frames (what evaluate() runs itself is in `task` alone), style, layout, and all of it."""
        before = self._metrics()
        action()
        self.settle()
        after = self._metrics()
        return Cost(*(1000 * (after[name] - before[name]) for name in PARTS))

    def opening(self):
        """What opening took: ms from the first byte to the load event by the clock, and Cost until now."""
        now = self._metrics()
        return (self.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"),
                Cost(*(1000 * now[name] for name in PARTS)))

    def _metrics(self):
        return {metric["name"]: metric["value"] for metric in self._call("Performance.getMetrics")["metrics"]}

    # Hands

    def at(self, place):
        """A place as a point of the window."""
        if isinstance(place, str):
            place = (place, 0.5, 0.5)
        if not isinstance(place[0], str):
            return place
        point = self.call("""(selector, fx, fy) => {
            const element = document.querySelector(selector);
            if (!element) return null;
            let box = element.getBoundingClientRect();
            const away = (at, size) => at < 0 || at >= size;
            if (away(box.x + fx * box.width, innerWidth) || away(box.y + fy * box.height, innerHeight)) {
              element.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
              box = element.getBoundingClientRect();
            }
            return [box.x + fx * box.width, box.y + fy * box.height]; }""", *place)
        if point is None:
            raise BrowserError(f"there is no {place[0]} in the page")
        return point

    def _mouse(self, kind, place, **more):
        x, y = self.at(place)
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=self._held, **more)

    def move(self, place):
        """The pointer goes there; with the button down it drags."""
        self._mouse("mouseMoved", place, button="left" if self._held else "none")

    def press(self, place, count=1):
        """The left button goes down there."""
        self._held = 1
        self._mouse("mousePressed", place, button="left", clickCount=count)

    def release(self, place, count=1):
        """And up again."""
        self._held = 0
        self._mouse("mouseReleased", place, button="left", clickCount=count)

    def click(self, place):
        """Moves there, and clicks."""
        place = self.at(place)
        self.move(place)
        self.press(place)
        self.release(place)

    def double_click(self, place):
        """Two clicks."""
        place = self.at(place)
        self.click(place)
        self.press(place, 2)
        self.release(place, 2)

    def drag(self, start, end, steps=6):
        """With the left button from one place to the other."""
        (x, y), (to_x, to_y) = self.at(start), self.at(end)
        self.move((x, y))
        self.press((x, y))
        for step in range(1, steps + 1):
            self.move((x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))
        self.release((to_x, to_y))

    def wheel(self, place, down=0, right=0):
        """Turns the wheel there, by px."""
        self._mouse("mouseWheel", place, deltaX=right, deltaY=down)

    def fingers(self, kind, *places):
        """touchStart, touchMove and touchEnd (without a place) of any number of fingers."""
        points = [self.at(place) for place in places]
        self._call("Input.dispatchTouchEvent", type=kind,
                   touchPoints=[{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)])

    def tap(self, place):
        """One finger, shortly."""
        self.fingers("touchStart", self.at(place))
        self.fingers("touchEnd")

    def swipe(self, start, end, steps=6):
        """One finger from one place to the other."""
        (x, y), (to_x, to_y) = self.at(start), self.at(end)
        self.fingers("touchStart", (x, y))
        for step in range(1, steps + 1):
            self.fingers("touchMove", (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))
        self.fingers("touchEnd")

    def key(self, name):
        """A key of KEYS or a letter, with modifiers before it: Shift+Tab."""
        *held, key = name.split("+") if name != "+" else [name]
        text, code = KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0))
        modifiers = sum(MODIFIERS[modifier] for modifier in held)
        told = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers,
                "code": f"Key{key.upper()}" if key.isalpha() and len(key) == 1 else "Space" if key == " " else key}
        typed = {"text": text} if text else {}
        self._call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **told, **typed)
        self._call("Input.dispatchKeyEvent", type="keyUp", **told)

    def type(self, text):
        """Types letters one by one into what has the focus."""
        for letter in text:
            self.key(letter)

    # What leaves the page

    def download(self, action):
        """The name and the bytes of the file that `action` saves."""
        return self.browser.downloaded(self._context, action)

    def clipboard(self):
        """The text of the clipboard, with a right that the page itself does not keep."""
        self._pipe.call("Browser.grantPermissions", permissions=["clipboardReadWrite"],
                        browserContextId=self._context)
        self._call("Page.bringToFront")
        try:
            return self.evaluate("navigator.clipboard.readText()")
        finally:
            self._pipe.call("Browser.resetPermissions", browserContextId=self._context)


def _said(node, what):
    value = node.get(what, {}).get("value", "")
    return value if isinstance(value, str) else str(value)


def _thrown(details):
    return details.get("exception", {}).get("description") or details["text"]
