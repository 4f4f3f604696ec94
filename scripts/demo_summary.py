#!/usr/bin/env python3
"""The last lines of scripts/demo.sh: where the report is, and the demo in five lines.

    demo_summary.py WORKSPACE BIN SECONDS
"""
import json
import subprocess
import sys
from pathlib import Path


def ask(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    demo, binaries, seconds = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    where = ["--workspace", str(demo), "--json"]
    run = ask(binaries / "procsim-train", "runs", *where)[-1]
    found = ask(binaries / "curate", "score", *where)
    noise = Path(demo / "noise.out").read_text().splitlines()[-1].split(": ", 1)[1].split(";")[0]
    wrong = found["wrong"]
    print(f"report:          {demo / 'reports' / run['run'] / 'report.html'}")
    print(f"noise injected:  {noise}")
    print(f"errors found:    {round(found['precision_at_errors'] * wrong)} of {wrong} in the first {wrong} of the list "
          f"(by chance: {wrong * wrong // found['samples']})")
    print(f"Recall@1:        {100 * run['start']:.1f} % before training, {100 * run['last']:.1f} % after, on classes never seen")
    print(f"time taken:      {seconds // 60} min {seconds % 60} s")


if __name__ == "__main__":
    main()
