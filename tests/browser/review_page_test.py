"""The page of `curate serve` in a real Chromium. Run by ctest; by hand:

    PROCSIM_BIN=build/bin python tests/browser/review_page_test.py [-k name]
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import pyarrow.parquet as pq

from curate_page import HERE, PageTest, Server, curate, main


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

    def second_reviewer(self, server):
        """The page of bob, with a card on it, beside that of ada, who has hers."""
        other = self.driver.session()
        self.addCleanup(other.close)
        for page, name in ((self.page, "ada"), (other, "bob")):
            self.enter(page, server, name)
            page.keys("Enter")
            page.wait("document.getElementById('focus').dataset.sample")
        return other

    def test_two_reviewers_at_once_lose_nothing(self):
        workspace, server = self.serve()
        other = self.second_reviewer(server)
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
        other = self.second_reviewer(server)
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
    main()
