"""
A browser as a test needs it: Chromium, headless, by way of chromedriver (W3C WebDriver, which is HTTP and JSON).
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Absent(Exception):
    """There is no browser that could be started."""


def find_programs():
    """The paths of Chromium and its driver."""
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    names = ["chromium", "chromium-browser", "google-chrome"]
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not browser or not driver:
        raise Absent("there is no chromium with a chromedriver (Debian: chromium, chromium-driver)")
    with open(browser, "rb") as file: # Ubuntu's is a script that wants a snap
        if "/snap/" in os.path.realpath(browser) or b"snap" in file.read(65536).split(b"\n\n")[0][:4096]:
            raise Absent(browser + " is a snap, which does not see our files")
    return browser, driver


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    """A window. It gathers the messages of pages on the console, and their requests to a network."""

    def __init__(self):
        browser, driver = find_programs()
        self.folder = tempfile.mkdtemp(prefix="akin-browser.")
        self.port = free_port()
        self.session = None
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.driver = subprocess.Popen([driver, f"--port={self.port}"], stdout=self.log, stderr=self.log)
        flags = ["--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                 "--user-data-dir=" + os.path.join(self.folder, "profile")]
        if os.getuid() == 0:
            flags.append("--no-sandbox")
        options = {"binary": browser, "args": flags, "perfLoggingPrefs": {"enableNetwork": True}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        try:
            self.wait_for_driver()
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}}, bare=True)
            self.session = answer["sessionId"]
        except Exception:
            self.close()
            raise

    def wait_for_driver(self):
        for _ in range(300):
            if self.driver.poll() is not None:
                raise RuntimeError("chromedriver ended at once")
            try:
                self.call("GET", "/status", bare=True)
                return
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def call(self, method, path, body=None, bare=False):
        url = f"http://127.0.0.1:{self.port}" + ("" if bare else f"/session/{self.session}") + path
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: " + error.read().decode()[:2000]) from None

    def close(self):
        if self.session:
            self.call("DELETE", "")
        self.driver.terminate()
        self.driver.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        """What a function body returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def open(self, path, width=1280, height=900, scheme="light"):
        self.resize(width, height)
        self.media(scheme)
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path)})
        self.settle()

    def resize(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def media(self, scheme, medium=""):
        features = [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}
        ]
        self.command("Emulation.setEmulatedMedia", media=medium, features=features)

    def settle(self):
        """Waits until what follows a change of size has been drawn."""
        self.call("POST", "/execute/async", {"args": [], "script":
                  "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, "
                  "20)));"})

    def press(self, *keys):
        """Presses keys in turn, named as DevTools does."""
        for key in keys:
            code = {"Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35,
                    "Enter": 13, " ": 32}.get(key, 0)
            text = {"Enter": "\r", " ": " "}.get(key)
            down = {"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": code}
            self.command("Input.dispatchKeyEvent", **down, **({"text": text} if text else {}))
            self.command("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, text):
        self.command("Input.insertText", text=text)
        self.settle()

    def click(self, x, y):
        for kind in "mousePressed", "mouseReleased":
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def screenshot(self, path, whole=True):
        """The whole page, or what the window shows of it."""
        import base64
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def complaints(self):
        """What was said on the console since the last time."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """The requests since the last time."""
        messages = (
            json.loads(entry["message"])["message"] for entry in self.call("POST", "/se/log", {"type": "performance"})
        )
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
