"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: no package and no port is needed."""

import base64
import json
import os
import selectors
import shutil
import signal
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows, where the tests in a browser are skipped
    fcntl = None

#: The names of Chromium and its relatives.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = None if fcntl is None else next(filter(None, map(shutil.which, NAMES)), None)
#: The codes and texts of the keys that the tests press.
KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), " ": (32, " "), "/": (191, "/"),
    "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""),
    "Home": (36, ""), "End": (35, ""),
}  # fmt: skip


class Browser:
    """One page of a browser."""

    def __init__(self, folder, seconds=60):
        self.seconds = seconds
        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}",
            "--remote-debugging-pipe", "about:blank",
        ]  # fmt: skip
        read, self._out = os.pipe()
        self._in, write = os.pipe()
        # Chromium reads commands from descriptor 3 and writes to descriptor 4, each message ended by a zero byte. The copies
        # have other numbers than those two, so that none is overwritten before it is duplicated.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (read, write)]
        actions = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in range(3)]
        actions += [(os.POSIX_SPAWN_DUP2, theirs[0], 3), (os.POSIX_SPAWN_DUP2, theirs[1], 4)]
        self._pid = os.posix_spawn(CHROMIUM, [CHROMIUM, *flags], os.environ, file_actions=actions, setpgroup=0)
        for end in (read, write, *theirs):
            os.close(end)
        self._buffer, self._last, self._session, self.events = b"", 0, None, []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def close(self):
        """End the browser."""
        os.close(self._out)
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGTERM)
        end = time.monotonic() + 10
        while os.waitpid(self._pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.killpg(self._pid, signal.SIGKILL)
            time.sleep(0.02)
        os.close(self._in)

    def call(self, method, **parameters):
        """Send a command and return its result; events that come before it are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def _receive(self):
        end = time.monotonic() + self.seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._in, selectors.EVENT_READ)
            while b"\0" not in self._buffer:
                assert ready.select(max(0, end - time.monotonic())), "the browser does not answer"
                part = os.read(self._in, 1 << 20)
                assert part, "the browser has ended"
                self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def run(self, script):
        """Return the value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, url):
        """Load a page and wait for it."""
        self.call("Page.navigate", url="about:blank")  # a new fragment alone would not load the page again
        self.call("Page.navigate", url=url)
        self.wait("document.readyState == 'complete' && location.href != 'about:blank'")

    def wait(self, condition):
        """Wait until a condition holds in the page."""
        end = time.monotonic() + self.seconds
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} does not come true"
            time.sleep(0.02)

    def click(self, selector):
        """Click the middle of the first element of a CSS selector."""
        found = f"document.querySelector({json.dumps(selector)})"
        assert self.run(f"{found} !== null"), f"there is no {selector}"
        box = self.run(
            f"(() => {{ const e = {found}; e.scrollIntoView({{block: 'center', inline: 'center'}});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width]; })()"
        )
        assert box[2] > 0, f"{selector} is hidden"
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, *keys):
        """Press keys, one after the other."""
        for key in keys:
            code, text = KEYS[key]
            about = {"key": key, "windowsVirtualKeyCode": code, "code": {" ": "Space", "/": "Slash"}.get(key, key)}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text):
        """Insert text where the cursor is."""
        self.call("Input.insertText", text=text)

    def size(self, width, height, *, mobile=False):
        """Set the size of the screen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def scheme(self, name):
        """Set the colour scheme that the device asks for."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, *, whole=False):
        """Return the page as a PNG image."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])

    def errors(self):
        """Return what went wrong in the page: exceptions, and messages of errors."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"])
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"])
        return found

    def requests(self):
        """Return the addresses of all that was loaded."""
        sent = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]
