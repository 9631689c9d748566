# SPDX-License-Identifier: MIT
"""A headless Chromium with a home of its own, and the DevTools protocol through its pipe.

What its pages may reach is a proxy that refuses everything and remembers who was asked for; what the browser wants for
itself finds none.  The browser, its home and all its processes are gone after close(), also after a failure.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import socket
import tempfile
import time

# Seconds to wait for what has to happen.  They cost nothing where all is well.
PATIENCE = 60.0
FLAGS = ("--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-extensions", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
         "--disable-domain-reliability", "--disable-breakpad", "--disable-crash-reporter", "--no-first-run",
         "--no-pings", "--metrics-recording-only", "--password-store=basic", "--mute-audio", "--lang=en-US",
         "--disable-features=Translate,MediaRouter,OptimizationHints,InterestFeedContentSuggestions",
         "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
         "--disable-renderer-backgrounding", "--force-color-profile=srgb",
         "--webrtc-ip-handling-policy=disable_non_proxied_udp")


class BrowserError(Exception):
    """What the browser refused, or that it did not answer in time."""


def program():
    """The path of Debian's browser, or None."""
    return shutil.which("chromium")


def _high(descriptor):
    """The same open file under a number that the browser's own 0 to 4 do not overwrite."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return high


class Pipe:
    """One browser; calls wait for their answers, events go to those who listen to a session."""

    def __init__(self):
        self.listeners = {}     # of a session (None: the browser): a function of method and parameters
        self.reached_for = []   # first lines of what came to the proxy
        self._answers = {}
        self._last = 0
        self._rest = b""
        self._said = b""
        self._open = set()
        self.folder = tempfile.mkdtemp(prefix="sluice-page-")
        self._proxy = socket.create_server(("127.0.0.1", 0))
        self.proxy = f"127.0.0.1:{self._proxy.getsockname()[1]}"
        try:
            self._start()
        except BaseException:
            self._proxy.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _start(self):
        theirs_in, ours_out = map(_high, os.pipe())
        ours_in, theirs_out = map(_high, os.pipe())
        ours_said, theirs_said = map(_high, os.pipe())
        path = program()
        words = [path, *FLAGS, f"--user-data-dir={self.folder}/profile",
                 "--proxy-server=127.0.0.1:1", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        if os.geteuid() == 0:
            words.append("--no-sandbox")
        env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        env.update(HOME=self.folder, TMPDIR=self.folder, LANGUAGE="en")
        self._process = os.posix_spawn(path, words + ["about:blank"], env, setsid=True, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, theirs_said, 2), (os.POSIX_SPAWN_DUP2, theirs_in, 3),
            (os.POSIX_SPAWN_DUP2, theirs_out, 4)])
        for descriptor in (theirs_in, theirs_out, theirs_said):
            os.close(descriptor)
        self._in, self._out, self._errors = ours_in, ours_out, ours_said
        self._open = {self._in, self._errors}

    # Waiting

    def _take(self, descriptor):
        """Reads what is there; forgets a descriptor that is at its end."""
        more = os.read(descriptor, 1 << 20)
        if not more:
            self._open.discard(descriptor)
        elif descriptor == self._errors:
            self._said = (self._said + more)[-2000:]
        else:
            *messages, self._rest = (self._rest + more).split(b"\0")
            for message in messages:
                self._hear(json.loads(message))

    def _refuse(self):
        """A request for the network."""
        guest, _ = self._proxy.accept()
        with guest:
            guest.settimeout(1)
            try:
                line = guest.recv(4096).split(b"\r\n")[0].decode("latin-1")
            except OSError:
                line = ""
        self.reached_for.append(line)

    def _hear(self, message):
        if "id" in message:
            if message["id"] in self._answers:
                self._answers[message["id"]] = message
        else:
            listener = self.listeners.get(message.get("sessionId"))
            if listener is not None:
                listener(message["method"], message["params"])

    def wait(self, done, what, seconds=PATIENCE):
        """Hears events until `done()`, for which `what` is the sentence's beginning when it does not come."""
        end = time.monotonic() + seconds
        while not done():
            if self._in not in self._open:
                raise BrowserError(f"the browser ended before {what}: {self._last_words()}")
            left = end - time.monotonic()
            if left <= 0:
                raise BrowserError(f"waited {seconds:g} s in vain for {what}")
            for ready in select.select([*self._open, self._proxy], [], [], left)[0]:
                if ready is self._proxy:
                    self._refuse()
                else:
                    self._take(ready)

    def _last_words(self):
        lines = self._said.decode("utf-8", "replace").strip().splitlines()
        return " / ".join(lines[-3:]) or "it said nothing"

    # Calls

    def send(self, method, session=None, **parameters):
        """A call whose answer is not waited for; its number."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._out, data):]
        except BrokenPipeError:
            raise BrowserError(f"the browser ended before {method}: {self._last_words()}") from None
        return self._last

    def call(self, method, session=None, seconds=PATIENCE, **parameters):
        """A call and its answer."""
        number = self.send(method, session, **parameters)
        self._answers[number] = None
        try:
            self.wait(lambda: self._answers[number] is not None, f"the answer to {method}", seconds)
        finally:
            answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']} {answer['error'].get('data', '')}".strip())
        return answer["result"]

    # The end

    def _wait_for_end(self, seconds):
        """Whether all processes of the browser, which share its error stream, are gone within this time."""
        end = time.monotonic() + seconds
        while self._open:
            left = end - time.monotonic()
            ready = select.select(list(self._open), [], [], max(left, 0))[0]
            if not ready:
                return False
            for descriptor in ready:
                if not os.read(descriptor, 1 << 20):
                    self._open.discard(descriptor)
        return True

    def close(self):
        """Ends the browser, by force when it does not end, and removes its home."""
        try:
            self.send("Browser.close")
        except BrowserError:
            pass
        if not self._wait_for_end(10):
            os.killpg(self._process, signal.SIGKILL)
            self._wait_for_end(10)
        os.waitpid(self._process, 0)
        for descriptor in (self._in, self._out, self._errors):
            os.close(descriptor)
        self._proxy.close()
        shutil.rmtree(self.folder, ignore_errors=True)
