#!/usr/bin/env python3
"""How fast `curate serve` hands out cards, and whether many decisions at once are all kept.

    python tests/browser/synthetic.py --out DIR --samples 1000000 --classes 1000 --images none
    python bench/review_server.py DIR [--bin build/bin]

Prints the time to start, the time of the next card and of a decision (median, 95th percentile, worst of 300), and how many
of 1,000 decisions that 50 reviewers sent at once are in the log, whose chain is verified.
"""
import argparse
import concurrent.futures
import http.client
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse


class Reviewer:
    """One keep-alive connection, as a browser has."""

    def __init__(self, url, name):
        address = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(address.netloc, timeout=120)
        self.headers = {"X-Curate-Token": urllib.parse.parse_qs(address.query)["token"][0], "Content-Type": "application/json"}
        self.name = name

    def ask(self, method, path, body=None):
        start = time.perf_counter()
        for attempt in range(2):
            try:
                self.connection.request(method, path, json.dumps(body) if body else None, self.headers)
                answer = self.connection.getresponse()
                content = json.loads(answer.read())
                break
            except (http.client.HTTPException, ConnectionError):  # the server closed an idle connection
                self.connection.close()
                if attempt:
                    raise
        assert answer.status == 200, content
        return content, time.perf_counter() - start

    def next(self):
        answer, seconds = self.ask("GET", f"/api/next?reviewer={self.name}")
        return answer["card"], seconds

    def decide(self, sample, verdict, **more):
        return self.ask("POST", "/api/decisions", {"reviewer": self.name, "sample": sample, "verdict": verdict,
                                                   "key": f"{self.name}-{sample}", **more})[1]


def say(what, seconds):
    ordered = sorted(seconds)
    print(f"{what}: median {1000 * ordered[len(ordered) // 2]:.1f} ms, 95 % {1000 * ordered[int(0.95 * len(ordered))]:.1f} ms, "
          f"worst {1000 * ordered[-1]:.1f} ms of {len(ordered)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", type=pathlib.Path, help="folder with scores.parquet and taxonomy.json")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "build/bin")
    options = parser.parse_args()
    curate = options.bin.resolve() / "curate"
    world = options.world.resolve()
    with tempfile.TemporaryDirectory() as workspace:
        start = time.perf_counter()
        server = subprocess.Popen([curate, "serve", "--scores", world / "scores.parquet", "--taxonomy", world / "taxonomy.json",
                                   "--workspace", workspace, "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().strip()
            print(f"ready after {time.perf_counter() - start:.1f} s")
            ada, nexts, decisions = Reviewer(url, "ada"), [], []
            for i in range(300):
                card, seconds = ada.next()
                nexts.append(seconds)
                decisions.append(ada.decide(card["id"], "keep" if i % 2 else "relabel", ticket=card["ticket"], label=card["suggested"]))
            say("next card", nexts)
            say("decision", decisions)

            def review(number):
                reviewer = Reviewer(url, f"r{number}")
                for _ in range(20):
                    card, _ = reviewer.next()
                    reviewer.decide(card["id"], "keep", ticket=card["ticket"])

            start = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(50) as pool:
                list(pool.map(review, range(50)))
            print(f"1,000 decisions by 50 reviewers at once: {time.perf_counter() - start:.1f} s")
            peak = next(line for line in pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
            print(f"memory of the server: {int(peak.split()[1]) / 1024:.0f} MB")
        finally:
            server.kill()
            server.wait()
        rows = [json.loads(line) for line in subprocess.run([curate, "log", "--json", "--workspace", workspace], check=True, capture_output=True,
                                                            text=True).stdout.splitlines()]
        together = [row for row in rows if row["reviewer"].startswith("r")]
        print(f"in the log: {len(rows)} of 1300; {len({row['sample'] for row in together})} different samples among the 1,000")
        print(subprocess.run([curate, "log", "--verify", "--workspace", workspace], check=True, capture_output=True, text=True).stdout.strip())


if __name__ == "__main__":
    main()
