"""A real Chromium, headless, through chromedriver's HTTP interface (W3C WebDriver). Nothing but the standard library."""
import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"]
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Right": "\ue014", "Down": "\ue015"}


def find_programs():
    """(chromium, chromedriver), or None where one is missing."""
    browser = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Driver:
    """chromedriver on a port of its own; sessions are separate browsers."""

    def __init__(self):
        self.browser, program = find_programs()
        self.process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if "on port " in line and "success" in line:
                self.port = int(line.rstrip(".\n ").rsplit(" ", 1)[1])
                break
        else:
            raise RuntimeError("chromedriver did not start")

    def session(self, size=(1400, 1000), dark=False):
        return Browser(self, size, dark)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Browser:
    def __init__(self, driver, size, dark):
        self.base = f"http://127.0.0.1:{driver.port}"
        self.profile = tempfile.mkdtemp(prefix="curate-chromium-")
        flags = FLAGS + [f"--user-data-dir={self.profile}", f"--window-size={size[0]},{size[1]}"]
        if dark:
            flags.append("--force-dark-mode")
        options = {"binary": driver.browser, "args": flags}
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += f"/session/{answer['sessionId']}"

    def _send(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, address):
        self._send("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, expression, what=None, seconds=60):
        """Until the JavaScript expression holds; returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(f"return ({expression});"):
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {what or expression}")

    def keys(self, text):
        """Types into whatever has the focus, as a person would."""
        actions = []
        for key in [KEYS[text]] if text in KEYS else text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        element = self._send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        # The driver scrolls to what lies outside the window alone; the page's bar may lie above what lies inside.
        self.run("arguments[0].scrollIntoView({block: 'nearest'});", {ELEMENT: element})
        self._send("POST", f"/element/{element}/click", {})

    def accept_alert(self):
        self._send("POST", "/alert/accept", {})

    def cdp(self, command, **parameters):
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def console(self):
        """Messages of the page's console and of the browser about it, since the last call."""
        return [entry["message"] for entry in self._send("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that pages asked for since the last call; what the browser loads for itself (chrome://) left out."""
        found = []
        for entry in self._send("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent" and not message["params"]["documentURL"].startswith("chrome"):
                found.append(message["params"]["request"]["url"])
        return found

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def close(self):
        self._send("DELETE", "")
        shutil.rmtree(self.profile, ignore_errors=True)
