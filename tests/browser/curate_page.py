"""What the tests of curate's pages share: the program, its server, and a page of a real Chromium."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import webdriver

HERE = pathlib.Path(__file__).parent
BIN = pathlib.Path(os.environ.get("PROCSIM_BIN", HERE.parent.parent / "build/bin")).resolve()
CURATE = str(BIN / "curate")
SKIP = 77
for name in ("PROCSIM_DATA", "PROCSIM_WORKSPACE"):  # the user's own: curate must not see them
    os.environ.pop(name, None)


def program(name, *arguments, folder=None):
    result = subprocess.run([BIN / name, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def curate(*arguments, folder=None):
    return program("curate", *arguments, folder=folder)


class Server:
    """curate serve on a free port, until killed."""

    def __init__(self, world, workspace, *options):
        self.process = subprocess.Popen(
            [CURATE, "serve", "--scores", world / "scores.parquet", "--taxonomy", world / "taxonomy.json", "--root", world / "images",
             "--workspace", workspace, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=workspace)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="curate-page-")
        cls.folder = pathlib.Path(cls.temporary.name)
        for name, extra in (("world", []), ("hostile", ["--hostile"])):
            subprocess.run([sys.executable, HERE / "synthetic.py", "--out", cls.folder / name, "--samples", "300", *extra], check=True)
            curate("report", "--scores", cls.folder / name / "scores.parquet", "--taxonomy", cls.folder / name / "taxonomy.json",
                   "--root", cls.folder / name / "images", "--output", cls.folder / name / "report", "--top", "150", "--quiet")
        cls.driver = webdriver.Driver()

    @classmethod
    def tearDownClass(cls):
        cls.driver.close()
        cls.temporary.cleanup()

    def setUp(self):
        self.page = self.driver.session()
        self.addCleanup(self.page.close)

    def report(self, name="world"):
        self.page.open((self.folder / name / "report/report.html").as_uri())
        self.page.wait("document.querySelectorAll('.card').length > 0")

    def shown(self):
        return self.page.run("return [...document.querySelectorAll('.card')].map(c => Number(c.dataset.sample));")

    def standing(self):
        return self.page.run("return [...decisions.standing.values()].map(w => [w.sample, w.verdict]);")

    def drag(self, points, key=None):
        box = self.page.run("const b = document.getElementById('map-points').getBoundingClientRect(); return [b.left, b.top, b.width, b.height];")
        moves = [{"type": "pointerMove", "duration": 0, "x": round(box[0] + x * box[2]), "y": round(box[1] + y * box[3])} for x, y in points]
        mouse = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        actions = [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": mouse}]
        if key:  # held from before the first move to after the last
            held = [{"type": "keyDown", "value": key}, *[{"type": "pause"}] * (len(mouse) - 1), {"type": "keyUp", "value": key}]
            actions.append({"type": "key", "id": "keys", "actions": held})
        self.page._send("POST", "/actions", {"actions": actions})

    RIGHT_HALF = [(0.5, 0.02), (0.98, 0.02), (0.98, 0.98), (0.5, 0.98), (0.5, 0.02)]

    def right_of_the_middle(self):
        """The points' indices in the right half of the map; those of cards come first."""
        return self.page.run("return [...sampleMap.x.keys()].filter(i => sampleMap.place(i)[0] > document.getElementById('map-points').width / 2);")


def main():
    if webdriver.find_programs() is None:
        print("skipped: chromium or chromedriver is not installed (scripts/setup.sh)")
        sys.exit(SKIP)
    unittest.main(verbosity=2)
