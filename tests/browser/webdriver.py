"""A small client of the WebDriver protocol: drives Debian's Chromium through its own chromedriver, nothing else needed."""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Tab": "\ue004"}
CONTROL = "\ue009"


def available():
    return shutil.which("chromedriver") and shutil.which("chromium")


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="polyad-browser-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.root = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     f"--user-data-dir={self.folder}/profile", "--window-size=1400,1000", "--force-device-scale-factor=1"]
        options = {"binary": shutil.which("chromium"), "args": arguments,
                   "prefs": {"download.default_directory": self.downloads, "download.prompt_for_download": False}}
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                                   "goog:loggingPrefs": {"browser": "ALL"}}}}
        for _ in range(100):
            try:
                self.session = self._call("POST", "/session", wanted)["sessionId"]
                break
            except (ConnectionError, urllib.error.URLError):
                time.sleep(0.1)
        else:
            raise RuntimeError("chromedriver does not answer")
        self.cdp("Page.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)

    def close(self):
        try:
            self._call("DELETE", f"/session/{self.session}")
        finally:
            self.process.terminate()
            self.process.wait(20)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _call(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"].get("message", "")) from None

    def _do(self, method, path, **body):
        return self._call(method, f"/session/{self.session}{path}", body)

    def cdp(self, command, **parameters):
        return self._do("POST", "/goog/cdp/execute", cmd=command, params=parameters)

    def open(self, path, anchor=""):
        """Opens a file and waits until the report says it is ready."""
        self._do("POST", "/url", url="about:blank")
        self._do("POST", "/url", url=f"file://{os.path.abspath(path)}{anchor}")
        self.wait("return document.documentElement.dataset.ready === 'yes'")

    def script(self, text, *arguments):
        return self._do("POST", "/execute/sync", script=text, args=list(arguments))

    def script_async(self, text, *arguments):
        """A script that ends when it calls its last argument."""
        return self._do("POST", "/execute/async", script=text, args=list(arguments))

    def wait(self, condition, *arguments, seconds=20):
        end = time.time() + seconds
        while True:
            value = self.script(condition, *arguments)
            if value:
                return value
            if time.time() > end:
                raise AssertionError(f"still not true after {seconds} s: {condition}")
            time.sleep(0.05)

    def find(self, selector):
        return self._do("POST", "/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.script("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self._do("POST", f"/element/{self.find(selector)}/click")

    def keys(self, *names):
        actions = []
        for name in names:
            key = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._do("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def hover(self, selector, x=0.5, y=0.5):
        """Moves the pointer to a place within an element, in parts of its size."""
        left, top = self.script("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'});"
                                "const b = e.getBoundingClientRect(); return [b.left + b.width * arguments[1], b.top + b.height * arguments[2]]",
                                selector, x, y)
        for step in (1, 0):  # from a little way off, so that a move is seen even where the pointer was there already
            self._do("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": int(left) + step, "y": int(top)}]}])
        return left, top

    def drag(self, selector, x0, x1):
        box = self.script("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", selector)
        y = int(box[1] + box[3] / 2)
        self._do("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": int(box[0] + box[2] * x0), "y": y}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 50, "x": int(box[0] + box[2] * (x0 + x1) / 2), "y": y},
            {"type": "pointerMove", "duration": 50, "x": int(box[0] + box[2] * x1), "y": y}, {"type": "pointerUp", "button": 0}]}])

    def wheel(self, selector, by, control=False):
        left, top = self.hover(selector)
        keyboard = [{"type": "keyDown", "value": CONTROL}, {"type": "pause"}, {"type": "keyUp", "value": CONTROL}] if control else [{"type": "pause"}] * 3
        self._do("POST", "/actions", actions=[
            {"type": "key", "id": "keyboard", "actions": keyboard},
            {"type": "wheel", "id": "wheel", "actions": [{"type": "pause"}, {"type": "scroll", "x": int(left), "y": int(top), "deltaX": 0, "deltaY": by, "duration": 0}]}])

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, whole=False):
        """The window, or all of the page however long it is."""
        options = {}
        if whole:
            width, height = self.script("return [innerWidth, document.documentElement.scrollHeight]")
            options = {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}}
        picture = self.cdp("Page.captureScreenshot", format="png", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def pdf(self):
        return base64.b64decode(self.cdp("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def errors(self):
        """What the console complained about since the last call."""
        return [entry["message"] for entry in self._do("POST", "/se/log", type="browser") if entry["level"] in ("SEVERE", "WARNING")]

    def downloaded(self, ending, seconds=20):
        """The next finished download with this ending, as bytes; it is taken away."""
        end = time.time() + seconds
        while time.time() < end:
            for name in os.listdir(self.downloads):
                if name.endswith(ending):
                    path = os.path.join(self.downloads, name)
                    with open(path, "rb") as file:
                        content = file.read()
                    if content:
                        os.remove(path)
                        return content
            time.sleep(0.05)
        raise AssertionError(f"no {ending} file was downloaded; there are {os.listdir(self.downloads)}")
