"""The report and review pages in a real Chromium. Run by ctest; by hand:

    PROCSIM_BIN=build/bin python tests/browser/curate_page_test.py [-k name]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pyarrow.parquet as pq

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


class StaticReport(PageTest):
    def test_opens_without_errors_or_network_requests(self):
        self.report()
        self.page.run("document.querySelectorAll('img').forEach(i => i.loading = 'eager');")
        self.page.wait("[...document.querySelectorAll('.card img')].every(i => i.complete)")
        self.assertEqual(self.page.console(), [])
        outside = [url for url in self.page.requests() if not url.startswith(("data:", "file:"))]
        self.assertEqual(outside, [])

    def test_shows_numbers_cards_and_images(self):
        self.report()
        self.assertEqual(len(self.shown()), 120)
        self.page.click("#more button")
        self.assertEqual(len(self.shown()), 150)
        self.page.run("document.querySelectorAll('img').forEach(i => i.loading = 'eager');")
        self.page.wait("[...document.querySelectorAll('.card .top img')].every(i => i.complete)")
        self.assertEqual(self.page.run("return [...document.querySelectorAll('.card .top img')].filter(i => i.naturalWidth > 0).length;"), 150)
        text = self.page.run("return document.getElementById('overview').innerText;")
        for words in ("Labels probably wrong", "95 % interval", "Review ", "Pairs most confused", "Families", "siblings"):
            self.assertIn(words, text)

    def test_names_and_paths_stay_text(self):
        self.report("hostile")
        text = self.page.run("return document.body.innerText;")
        self.assertIn("<script>window.broken=1</script>", text)
        self.assertIn("../outside.jpg", text)
        self.assertEqual(self.page.run("return typeof window.broken;"), "undefined")
        self.assertEqual(self.page.run("return document.querySelectorAll('#cards script, #overview script, img[src=x]').length;"), 0)
        self.assertEqual(self.page.run("return doc.cards.filter(c => c.path.startsWith('..') && String(c.id) in doc.image_of).length;"), 0)
        self.assertEqual(self.page.console(), [])

    def test_search_filters_and_sorting_narrow_the_cards(self):
        self.report()
        self.page.click("#search")
        self.page.keys("fox sparrow")
        self.page.wait("view.shown.length < 150")
        self.assertTrue(all("fox sparrow" in text for text in self.page.run("return view.shown.map(c => c.search);")))
        self.page.run("document.getElementById('search').value = ''; applyFilters();")
        self.page.run("const k = document.getElementById('kinship'); k.value = 'siblings'; k.dispatchEvent(new Event('change'));")
        self.assertEqual(set(self.page.run("return view.shown.map(c => c.kinship);")), {"siblings"})
        self.page.run("const k = document.getElementById('kinship'); k.value = ''; k.dispatchEvent(new Event('change'));")
        self.page.run("const s = document.getElementById('sort'); s.value = 'p'; s.dispatchEvent(new Event('change'));")
        probabilities = self.page.run("return view.shown.map(c => c.p);")
        self.assertEqual(probabilities, sorted(probabilities, reverse=True))
        self.page.run("const l = document.getElementById('least'); l.value = 90; l.dispatchEvent(new Event('input'));")
        self.page.wait("view.shown.every(c => c.p >= 0.9)")
        self.page.run("const l = document.getElementById('least'); l.value = 0; l.dispatchEvent(new Event('input'));")
        self.page.wait("view.shown.length === 150")  # what comes late would draw the chips anew under the click
        self.page.click("#tile-pairs .rows button")
        self.assertEqual(len(self.page.run("return [...new Set(view.shown.map(c => c.given + '>' + c.suggested))];")), 1)
        self.page.click(".chip")
        self.page.wait("view.shown.length === 150")

    def test_keys_decide_and_undo_and_decisions_survive_a_reload(self):
        self.report()
        first, second, third = self.shown()[:3]
        self.page.keys("k")
        self.page.keys("r")
        self.page.keys("n")
        self.assertEqual(self.standing(), [[first, "keep"], [second, "relabel"], [third, "none"]])
        self.page.keys("u")
        self.assertEqual(self.standing(), [[first, "keep"], [second, "relabel"]])
        self.assertEqual(self.page.run("return Number(document.querySelector('.card.current').dataset.sample);"), third)
        self.report()
        self.assertEqual(self.standing(), [[first, "keep"], [second, "relabel"]])
        self.assertIn("2 of 150 decided", self.page.run("return document.getElementById('progress').innerText;"))

    def test_typing_finds_a_class_or_a_group(self):
        self.report()
        first, second = self.shown()[:2]
        self.page.keys("c")
        self.page.wait("document.getElementById('picker').open")
        self.page.keys("pine")
        self.page.keys("Enter")
        self.page.keys("p")
        self.page.wait("document.getElementById('picker').open")
        self.page.keys("Enter")
        words = dict(self.page.run("return [...decisions.standing.entries()];"))
        self.assertEqual(self.page.run("return className(arguments[0]);", words[first]["label"]), "Pine Warbler")
        self.assertEqual(words[second]["verdict"], "parent")
        self.assertTrue(words[second]["node"].endswith(".n.01"))

    def test_large_view_walks_through_the_cards(self):
        self.report()
        first, second = self.shown()[:2]
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').open")
        self.page.keys("r")
        self.page.wait(f"document.getElementById('focus').dataset.sample === '{second}'")
        self.page.keys("u")
        self.page.wait(f"document.getElementById('focus').dataset.sample === '{first}'")
        self.assertEqual(self.standing(), [])
        self.page.keys("Escape")
        self.page.wait("!document.getElementById('focus').open")

    def test_the_models_candidates_have_a_key_each(self):
        self.report()
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        card = self.page.run("return focusView.card;")
        shown = self.page.run("return [...document.querySelectorAll('#focus .rivals button')].map(b => [b.dataset.key, b.innerText]);")
        self.assertEqual([key for key, _ in shown], ["1", "2", "3"])
        names = self.page.run("return focusView.card.rivals.map(([label]) => className(label));")
        for (_, words), name in zip(shown, names):
            self.assertIn(name, words)
        strips = self.page.run("return [...document.querySelectorAll('#focus .near .title')].map(t => t.innerText.toLowerCase());")
        self.assertIn("nearest " + names[1].lower(), strips, "the closest images of the other rival")
        self.page.keys("2")
        self.page.wait("decisions.standing.size === 1")
        self.assertEqual(self.page.run("return [...decisions.standing.values()].map(w => [w.sample, w.verdict, w.label]);"),
                         [[card["id"], "relabel", card["rivals"][1][0]]])

    def test_the_map_narrows_the_cards(self):
        self.report()
        self.page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
        self.assertIn("300 samples", self.page.run("return document.getElementById('map-count').innerText;"))
        self.page.run("document.getElementById('map').scrollIntoView();")
        inked = ("const c = document.getElementById('map-points'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                 "const seen = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3]) seen.add(d[i] + ',' + d[i + 1] + ',' + d[i + 2]); return seen.size;")
        self.assertGreater(self.page.run(inked), 10, "shades of suspicion")
        for colour in ("class", "decision"):
            self.page.click(f"#map-colours [data-colour={colour}]")
            self.page.wait(f"document.getElementById('map-points').dataset.drawn === '{colour}'")
        self.assertLess(self.page.run(inked), 4, "nothing is decided yet")
        everything = len(self.shown())
        self.drag(self.RIGHT_HALF)
        right = self.page.run("return view.shown.map(c => c.id);")
        self.assertGreater(len(right), 0)
        self.assertLess(len(right), self.page.run("return doc.cards.length;"))
        middle = self.page.run("return doc.cards.map((c, i) => [c.id, sampleMap.place(i)[0]]).filter(([, x]) => x > document.getElementById('map-points').width / 2).map(([id]) => id);")
        self.assertEqual(sorted(right), sorted(middle), "the cards whose points are in the right half")
        inside = self.right_of_the_middle()
        listed = [i for i in inside if i < self.page.run("return doc.cards.length;")]
        self.assertLess(len(listed), len(inside))
        self.assertIn(f"{len(listed)} of {len(inside)} on the map listed", self.page.run("return document.getElementById('chips').innerText;"),
                      "samples without a card are not passed over silently")
        self.page.click("#chips button")
        self.assertEqual(len(self.shown()), everything)
        self.page.run("doc.cards.length = 0;")  # as if none of them were listed
        self.drag(self.RIGHT_HALF)
        self.assertIn(f"none of {len(inside)} on the map listed", self.page.run("return document.getElementById('chips').innerText;"))
        self.assertEqual(self.shown(), [])
        self.report()
        self.page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
        self.page.run("document.getElementById('map').scrollIntoView();")
        place = self.page.run("const c = document.getElementById('map-points'), [x, y] = sampleMap.place(0); return [x / c.width, y / c.height];")
        self.drag([place, place])
        self.assertIn(self.page.run("return doc.cards[0].id;"), self.page.run("return view.shown.map(c => c.id);"))
        ours = [line for line in self.page.console() if "willReadFrequently" not in line]  # said of what this test reads
        self.assertEqual(ours, [])

    def test_the_map_is_moved_with_shift(self):
        self.report()
        self.page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
        self.page.run("document.getElementById('map').scrollIntoView();")
        before, width = self.page.run("return [sampleMap.place(0), document.getElementById('map-points').width];")
        self.drag([(0.5, 0.5), (0.6, 0.5)], key="\ue008")
        after = self.page.run("return sampleMap.place(0);")
        self.assertAlmostEqual((after[0] - before[0]) / width, 0.1, delta=0.01)
        self.assertAlmostEqual(after[1], before[1], delta=2)
        self.assertEqual(self.page.run("return view.filters.length;"), 0, "nothing is chosen by moving")

    def test_without_suspects_no_cards_are_shown_unless_asked_for(self):
        scores = self.folder / "clean"
        scores.mkdir()
        import pyarrow.parquet as pq
        table = pq.read_table(self.folder / "world/scores.parquet")
        import pyarrow as pa
        table = table.set_column(table.schema.get_field_index("p_mislabelled"), table.schema.field("p_mislabelled"), pa.array([1e-6] * len(table), pa.float32()))
        pq.write_table(table, scores / "scores.parquet")
        curate("report", "--scores", scores / "scores.parquet", "--taxonomy", self.folder / "world/taxonomy.json", "--output", scores / "report", "--quiet")
        self.page.open((scores / "report/report.html").as_uri())
        self.page.wait("!document.getElementById('none').hidden")
        self.assertEqual(self.shown(), [])
        self.assertNotIn("0.0", self.page.run("return document.getElementById('overview').innerText;").replace("0.0 %", ""))
        self.page.click("#none button")
        self.page.wait("document.querySelectorAll('.card').length > 0")

    def test_nobody_speaks_of_kinship_where_the_tree_says_nothing(self):
        folder = self.folder / "flat"
        folder.mkdir()
        tree = json.loads((self.folder / "world/taxonomy.json").read_text())
        tree["nodes"] = [node for node in tree["nodes"] if node["parent"] is None]
        for entry in tree["classes"]:
            entry.update(node=tree["nodes"][0]["id"], how="unresolved")
        (folder / "taxonomy.json").write_text(json.dumps(tree))
        curate("report", "--scores", self.folder / "world/scores.parquet", "--taxonomy", folder / "taxonomy.json", "--output", folder / "report", "--quiet")
        self.page.open((folder / "report/report.html").as_uri())
        self.page.wait("document.querySelectorAll('.card').length > 0")
        tile = self.page.run("return document.getElementById('tile-kinds').innerText;")
        self.assertIn("does not say how near these classes are", tile)
        self.assertIn("near-duplicate", tile, "what has nothing to do with the tree stays")
        self.assertEqual(self.page.run("return document.querySelectorAll('.pill.siblings, .pill.relatives, .pill.strangers, #tile-kinds .kinds').length;"), 0)
        self.assertEqual(self.page.run("return [...document.querySelectorAll('#kinship option')].map(o => o.value);"), ["", "duplicates"])
        everything = self.page.run("document.querySelectorAll('img').forEach(i => i.remove()); return document.body.textContent.split('{\"format\"')[0].toLowerCase();")
        for word in ("sibling", "relatives", "gross error", "easily confused"):
            self.assertNotIn(word, everything)
        self.assertEqual(self.page.console(), [])

    def test_what_is_said_of_doubtful_places_is_hedged(self):
        folder = self.folder / "doubted"
        folder.mkdir()
        tree = json.loads((self.folder / "world/taxonomy.json").read_text())
        tree["classes"][0].update(doubt="here: a bird; or a naive person", doubt_level=0.4)
        (folder / "taxonomy.json").write_text(json.dumps(tree))
        curate("report", "--scores", self.folder / "world/scores.parquet", "--taxonomy", folder / "taxonomy.json", "--output", folder / "report", "--quiet")
        self.page.open((folder / "report/report.html").as_uri())
        self.page.wait("document.querySelectorAll('.card').length > 0")
        self.page.click("#more button")
        pills = self.page.run("return [...document.querySelectorAll('.card')].map(c => [doc.cards.find(d => d.id === Number(c.dataset.sample)), c]).map(([d, c]) =>"
                              "[d.given === 0 || d.suggested === 0, c.querySelector('.pill:not(.duplicate)').textContent, d.why.join(' ')]);")
        for doubted, pill, why in pills:
            self.assertEqual(doubted, pill.startswith("perhaps "), pill)
            self.assertEqual(doubted, "the place of " + tree["classes"][0]["name"] + " is doubtful" in why, why)
        self.assertEqual({doubted for doubted, _, _ in pills}, {True, False})
        places = self.page.run("return document.getElementById('tile-doubts').innerText;")
        self.assertIn(tree["classes"][0]["name"] + ", below gull", places)
        self.assertIn("name 40 % doubtful", places)

    def test_a_folder_of_images_and_probabilities_of_another_model(self):
        """Class folders whose names say nothing, an image that nobody scored, a training without a test split."""
        workspace = self.folder / "folders"
        workspace.mkdir()
        program("taxo", "build", self.folder / "world/images", "--quiet", folder=workspace)
        labels = pq.read_table(next((workspace / ".procsim/labels").glob("*.parquet"))).to_pylist()
        classes = max(row["label"] for row in labels) + 1
        left_out = labels[7]
        rows = ["sample_id," + ",".join(sorted({row["path"].split("/")[0] for row in labels}))]
        for i, row in enumerate(labels):
            if row is left_out:
                continue
            seen = (row["label"] + 1) % classes if i % 10 == 0 else row["label"]
            rows.append(f"{row['sample_id']}," + ",".join(f"{0.9 if k == seen else 0.1 / (classes - 1):.6f}" for k in range(classes)))
        (workspace / "probabilities.csv").write_text("\n".join(rows) + "\n")
        curate("import-scores", "probabilities.csv", "--quiet", folder=workspace)
        curate("report", "--output", "report", "--quiet", folder=workspace)
        self.page.open((workspace / "report/report.html").as_uri())
        self.page.wait("document.querySelectorAll('.card').length > 0")
        self.assertIn(left_out["path"], self.page.run("return document.getElementById('tile-left-out').innerText;"))
        self.assertIn("does not say how near", self.page.run("return document.getElementById('tile-kinds').innerText;"))
        program("procsim-train", "--backbone", "small", "--image-size", "32", "--epochs", "2", "--threads", "1", "--workers", "1", "--device", "cpu", "--quiet", folder=workspace)
        self.page.open(next((workspace / ".procsim/runs").glob("*/report.html")).as_uri())
        self.assertNotIn("Retrieval", self.page.run("return [...document.querySelectorAll('h2')].map(h => h.innerText).join('; ');"), "nothing was measured on a test split")
        self.page.cdp("Emulation.setDeviceMetricsOverride", width=700, height=900, deviceScaleFactor=1, mobile=False)
        self.assertLessEqual(self.page.run("return document.documentElement.scrollWidth;"), 700, "the page is as wide as its window")
        cut = self.page.run("return [...document.querySelectorAll('table')].filter(t => { const box = t.parentElement; box.scrollLeft = 1e6;"
                            "return t.getBoundingClientRect().right > box.getBoundingClientRect().right + 1; }).length;")
        self.assertEqual(cut, 0, "a wide table can be moved to its last column")
        self.assertEqual(self.page.console(), [])

    def test_a_batch_decides_all_that_is_shown(self):
        self.report()
        self.page.click("#tile-pairs .rows button")
        size = len(self.shown())
        self.page.click("[data-batch=relabel]")
        self.page.accept_alert()
        self.page.wait(f"decisions.standing.size === {size}")
        self.assertEqual({verdict for _, verdict in self.standing()}, {"relabel"})

    def test_exported_decisions_are_imported(self):
        self.report()
        first, second = self.shown()[:2]
        self.page.keys("k")
        self.page.keys("r")
        self.page.keys("a")
        self.page.keys("u")
        exported = self.folder / "decisions.json"
        exported.write_text(self.page.run("return decisionsFile();"))
        with tempfile.TemporaryDirectory() as workspace:
            options = ["import", exported, "--scores", self.folder / "world/scores.parquet", "--workspace", workspace, "--json", "--quiet"]
            self.assertEqual(json.loads(curate(*options, folder=workspace))["added"], 4)
            self.assertEqual(json.loads(curate(*options, folder=workspace))["added"], 0)
            rows = [json.loads(line) for line in curate("log", "--json", "--workspace", workspace).splitlines()]
            self.assertEqual([(row["sample"], row["verdict"]) for row in rows][:2], [(first, "keep"), (second, "relabel")])

    def test_dark_mode_and_print(self):
        self.report()
        ground = "return getComputedStyle(document.body).backgroundColor;"
        before = self.page.run(ground)
        self.page.keys("d")
        self.assertNotEqual(self.page.run(ground), before)
        self.report()
        self.assertNotEqual(self.page.run(ground), before, "the choice is remembered")
        self.page.cdp("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.page.run("return getComputedStyle(document.getElementById('tools')).display;"), "none")
        self.assertEqual(self.page.run(ground), "rgb(255, 255, 255)")


class ReviewPage(PageTest):
    world = "world"

    def serve(self, *options):
        workspace = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        return workspace, self.start(workspace, *options)

    def start(self, workspace, *options):
        if "--audit" not in options:  # the order of the queue, without random cards in between
            options = (*options, "--audit", "0")
        server = Server(self.folder / self.world, workspace, *options)
        self.addCleanup(server.kill)
        return server

    def enter(self, page, server, name):
        page.open(server.url)
        page.wait("document.querySelectorAll('.card').length > 0")
        page.run("const r = document.getElementById('reviewer'); r.value = arguments[0]; r.dispatchEvent(new Event('change'));", name)
        page.wait("decisions.state")
        page.run("document.activeElement.blur();")

    def log(self, workspace):
        return [json.loads(line) for line in curate("log", "--json", "--workspace", workspace).splitlines()]

    def decide(self, page, key):
        before = page.run("return document.getElementById('focus').dataset.sample;")
        page.keys(key)
        page.wait(f"document.getElementById('focus').dataset.sample !== '{before}'")

    def test_opens_without_errors_and_asks_only_its_own_server(self):
        _, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.keys("Enter")
        self.page.wait("document.querySelector('#focus img') && document.querySelector('#focus img').naturalWidth > 0")
        self.assertEqual(self.page.console(), [])
        origin = server.url.split("/?")[0]
        outside = [url for url in self.page.requests() if not url.startswith((origin + "/", "data:"))]
        self.assertEqual(outside, [])

    def test_two_reviewers_at_once_lose_nothing(self):
        workspace, server = self.serve()
        other = self.driver.session()
        self.addCleanup(other.close)
        for page, name in ((self.page, "ada"), (other, "bob")):
            self.enter(page, server, name)
            page.keys("Enter")
            page.wait("document.getElementById('focus').dataset.sample")
        for key in "krn":
            for page in (self.page, other):
                self.decide(page, key)
        for page in (self.page, other):
            page.wait("!sender.busy && sender.waiting.length === 0")
        rows = self.log(workspace)
        self.assertEqual(len(rows), 6)
        self.assertEqual(len({row["sample"] for row in rows}), 6, "nobody was shown the other's card")
        self.assertEqual(sorted(row["reviewer"] for row in rows), ["ada"] * 3 + ["bob"] * 3)
        self.assertIn("intact", curate("log", "--verify", "--json", "--workspace", workspace))

    def test_a_held_card_hides_itself_and_nothing_else(self):
        _, server = self.serve()
        other = self.driver.session()
        self.addCleanup(other.close)
        for page, name in ((self.page, "ada"), (other, "bob")):
            self.enter(page, server, name)
            page.keys("Enter")
            page.wait("document.getElementById('focus').dataset.sample")
        likely = self.page.run("return [...doc.cards].sort(sorts.p).map(c => c.id);")
        self.assertEqual(self.page.run("return focusView.card.id;"), likely[0])
        for expected in likely[1:9]:
            self.assertEqual(other.run("return focusView.card.id;"), expected, "the most likely error that nobody holds")
            self.decide(other, "r")

    def test_another_name_leaves_no_card_behind(self):
        _, server = self.serve()
        self.enter(self.page, server, "adda")
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        held = self.page.run("return focusView.card.id;")
        self.page.keys("Escape")
        self.page.run("const r = document.getElementById('reviewer'); r.value = 'ada'; r.dispatchEvent(new Event('change'));")
        self.page.run("document.activeElement.blur();")
        self.page.keys("Enter")
        self.page.wait("focusView.card")  # the page still shows the sample of the card that was given back
        self.assertEqual(self.page.run("return focusView.card.id;"), held)

    def test_review_resumes_after_the_server_was_killed(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        for key in "rkr":
            self.decide(self.page, key)
        self.page.wait("!sender.busy")
        server.kill()
        again = self.start(workspace)
        self.page.open(again.url)
        self.enter(self.page, again, "ada")
        self.page.wait("decisions.standing.size === 3")
        seen = {row["sample"] for row in self.log(workspace)}
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        self.assertNotIn(int(self.page.run("return document.getElementById('focus').dataset.sample;")), seen)

    def test_undo_reaches_the_log(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.keys("Enter")
        first = self.page.wait("document.getElementById('focus').dataset.sample")
        self.decide(self.page, "r")
        self.page.keys("u")
        self.page.wait(f"document.getElementById('focus').dataset.sample === '{first}'")
        self.page.wait("!sender.busy && decisions.standing.size === 0")
        self.assertEqual([row["verdict"] for row in self.log(workspace)], ["relabel", "undo"])

    def test_cards_can_be_decided_in_the_list_too(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.keys("k")
        self.page.wait("!sender.busy && decisions.state.decided === 1")
        self.assertEqual(len(self.log(workspace)), 1)
        self.page.wait("document.querySelector('.card.decided .verdict')")

    def test_the_map_narrows_the_list_and_shows_decisions(self):
        _, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
        self.page.run("document.getElementById('map').scrollIntoView();")
        self.drag(self.RIGHT_HALF)
        inside = set(self.right_of_the_middle())
        listed = self.page.run("return view.shown.map(c => doc.cards.indexOf(c));")
        self.assertEqual(sorted(listed), sorted(i for i in inside if i < self.page.run("return doc.cards.length;")))
        self.page.click("#map-colours [data-colour=decision]")
        self.page.wait("document.getElementById('map-points').dataset.drawn === 'decision'")
        first = self.page.run("return view.shown[0].id;")
        blue = ("const c = document.getElementById('map-points'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                "for (let i = 0; i < d.length; i += 4) if (d[i] === 31 && d[i + 1] === 95 && d[i + 2] === 191) return true; return false;")
        self.assertFalse(self.page.run(blue))
        self.page.run("document.querySelector('.card').scrollIntoView();")
        self.page.keys("r")
        self.page.wait(f"decisions.standing.has({first})")
        self.page.wait("(() => { " + blue + " })()", "the relabelled sample is blue on the map")

    def test_blind_cards_show_no_probability(self):
        _, server = self.serve("--audit", "0.3", "--planted", "0.2")
        self.enter(self.page, server, "ada")
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        self.assertNotIn("probability", self.page.run("return document.getElementById('focus').innerText;"))

    def test_an_audit_moves_headline_curve_and_classes(self):
        self.world = "open"
        subprocess.run([sys.executable, HERE / "synthetic.py", "--out", self.folder / "open", "--samples", "300", "--noise", "0.3",
                        "--interval", "0.02", "0.2"], check=True)
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.assertIn("Between 2 and 20 %", self.page.run("return document.querySelector('#tile-noise').innerText;"))
        self.assertEqual(self.page.run("return [...document.querySelectorAll('#bar button')].find(b => !b.hidden).id;"), "audit", "the first button")
        seen = lambda: self.page.run("return ['#tile-noise', '#tile-effort', '#tile-classes', '#tile-pairs'].map(t => document.querySelector(t).innerText);")
        before = seen()
        rows = pq.read_table(self.folder / "open/scores.parquet", columns=["sample_id", "label", "true_label"]).to_pylist()
        wrong = {row["sample_id"]: row["label"] != row["true_label"] for row in rows}
        self.page.click("#audit")
        self.page.wait("document.getElementById('focus').dataset.sample")
        self.assertIn("Random card 1", self.page.run("return document.getElementById('focus').innerText;"))
        for _ in range(59):
            self.decide(self.page, "r" if wrong[self.page.run("return focusView.card.id;")] else "k")
        self.page.keys("r" if wrong[self.page.run("return focusView.card.id;")] else "k")
        self.page.wait("!document.getElementById('focus').open && doc.summary.noise.audited === 60")
        noise = self.page.run("return doc.summary.noise;")
        rate = sum(wrong.values()) / len(wrong)
        self.assertEqual(noise["audited"], 60)
        self.assertLess(noise["low"], rate)
        self.assertGreater(noise["high"], rate)
        self.assertLess(noise["high"] - noise["low"], 0.2)
        self.assertEqual([row["source"] for row in self.log(workspace)], ["audit"] * 60)
        self.assertTrue(self.page.run("return document.getElementById('audit').hidden;"))
        for tile, (old, new) in zip(("headline", "curve", "classes", "pairs"), zip(before, seen())):
            self.assertNotEqual(old, new, tile)
        self.assertIn("60 random cards", seen()[0])
        self.assertEqual(self.page.console(), [])

    def test_read_only_takes_no_decision(self):
        _, server = self.serve("--read-only")
        self.page.open(server.url)
        self.page.wait("document.querySelectorAll('.card').length > 0")
        self.assertTrue(self.page.run("return [...document.querySelectorAll('.verdicts button')].every(b => b.disabled);"))
        self.page.keys("k")
        self.assertIn("read-only", self.page.run("return noticeBox.textContent;"))

    def test_a_decision_waits_while_the_server_is_away(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        server.process.send_signal(signal.SIGSTOP)
        self.page.keys("k")
        self.page.wait("sender.waiting.length === 1")
        server.process.send_signal(signal.SIGCONT)
        self.page.wait("sender.waiting.length === 0 && !sender.busy")
        self.assertEqual(len(self.log(workspace)), 1)

    def test_an_open_page_loses_nothing_when_the_server_is_killed(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        self.decide(self.page, "r")
        server.kill()
        self.page.keys("k")  # on a card that the dead server had handed out
        self.page.wait("sender.waiting.length === 1 && !noticeBox.hidden")
        self.assertIn("wait in this browser", self.page.run("return noticeBox.innerText;"))
        again = self.start(workspace)
        self.assertEqual(again.url, server.url, "the same port and token: the page goes on")
        self.page.wait("sender.waiting.length === 0 && !sender.busy")
        self.assertEqual([row["verdict"] for row in self.log(workspace)], ["relabel", "keep"])
        self.assertIn("intact", curate("log", "--verify", "--json", "--workspace", workspace))

    def test_a_closed_page_loses_nothing_either(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        server.kill()
        self.page.keys("k")
        self.page.keys("n")
        self.page.wait("sender.waiting.length === 2")
        self.page.open("about:blank")
        self.start(workspace)
        self.enter(self.page, server, "ada")
        self.page.wait("sender.waiting.length === 0 && !sender.busy")
        self.assertEqual([row["verdict"] for row in self.log(workspace)], ["keep", "none"])
        self.page.wait("decisions.standing.size === 2")

    def test_a_batch_of_a_pair_is_reviewed_by_itself(self):
        workspace, server = self.serve()
        self.enter(self.page, server, "ada")
        self.page.click("#tile-pairs .rows button")
        pair = self.page.run("return view.filters[0].pair;")
        self.page.run("document.activeElement.blur();")
        self.page.keys("Enter")
        self.page.wait("document.getElementById('focus').dataset.sample")
        for key in "rk":
            self.assertEqual(self.page.run("return [focusView.card.given, focusView.card.suggested];"), pair)
            self.decide(self.page, key)
        self.page.wait("!sender.busy")
        self.assertEqual(len(self.log(workspace)), 2)


if __name__ == "__main__":
    if webdriver.find_programs() is None:
        print("skipped: chromium or chromedriver is not installed (scripts/setup.sh)")
        sys.exit(SKIP)
    unittest.main(verbosity=2)
