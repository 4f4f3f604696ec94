"""A report's page in a real Chromium. Run by ctest; by hand:

    PROCSIM_BIN=build/bin python tests/browser/report_page_test.py [-k name]
"""
import json
import tempfile

import pyarrow.parquet as pq

from curate_page import PageTest, curate, main, program


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


if __name__ == "__main__":
    main()
