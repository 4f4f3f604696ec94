#!/usr/bin/env python3
"""Kills the programs at every call that changes a file, fills the disk at every one, and kills at random moments.

    faults.py --bin build/bin --hook fault_hook.so [--every K] [--random N] [--seed S] [--only STEP]

Each step of a pipeline is run undisturbed once. Then, from a copy of the state before it:
  kill, after   the process is killed before, or after, the K-th call; the same command is run again and must end in
                the same bytes and records as the undisturbed one, with no rubbish left
  full          from that call on the disk is full: one line on stderr and the state before (after, where only the flush of
                the database failed), or success; then as above
  random        killed after a random time; then as above
Exit code 0 when nothing was lost. Needs only the standard library.
"""
import argparse
import csv
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

CLASSES = ["sparrow", "gull", "owl", "tern"]
NOT_COMPARED = {"clock"}  # counts what was tried, too


def make_inputs(folder):
    draw = random.Random(1)
    with open(f"{folder}/birds.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["path", "label"])
        for i in range(120):
            table.writerow([f"{i:03}.jpg", CLASSES[i % 4]])
    with open(f"{folder}/probabilities.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(CLASSES)
        for i in range(120):
            row = [0.05 + draw.random() * 0.1 for _ in CLASSES]
            row[i % 4] = 0
            row[i % 4] = 1 - sum(row)
            table.writerow([f"{p:.6f}" for p in row])
    with open(f"{folder}/decisions.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["sample_id", "verdict", "new_label", "reviewer", "time"])
        for i in range(20):
            table.writerow([i, "relabel", CLASSES[(i + 1) % 4], "ada", f"2026-01-01T00:00:{i:02}Z"])
    with open(f"{folder}/tree.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["child", "parent"])
        for child, parent in [("sparrow", "land"), ("owl", "land"), ("gull", "sea"), ("tern", "sea"),
                              ("land", "bird"), ("sea", "bird")]:
            table.writerow([child, parent])


STEPS = [
    ("build", ["taxo", "build", "birds.csv"]),
    ("import-tree", ["taxo", "import", "tree.csv", "--dataset", "birds"]),
    ("inject", ["noise", "inject", "--uniform", "0.2", "--seed", "3"]),
    ("inject-output", ["noise", "inject", "--uniform", "0.2", "-o", "noisy.parquet"]),
    ("inject-force", ["noise", "inject", "--uniform", "0.4", "-o", "noisy.parquet", "--force"]),
    ("export-folder", ["noise", "export", "--format", "imagefolder", "--labels", ".procsim/labels/birds.parquet", "--root", ".", "-o",
                       "folder"]),
    ("export-force", ["noise", "export", "--format", "imagefolder", "--labels", "noisy.parquet", "--root", ".", "-o", "folder",
                      "--force"]),
    ("import-scores", ["curate", "import-scores", "probabilities.csv", "--labels", ".procsim/labels/birds.parquet"]),
    ("report", ["curate", "report", "-o", "report"]),
    ("import-decisions", ["curate", "import", "decisions.csv"]),
    ("apply", ["curate", "apply"]),
]


# Whole at any moment, as before the step or as after it; under the second name for the time of a rename.
ALWAYS_THERE = {"export-force": ["folder", ".folder.replaced"]}


def below(files, folder):
    return {name[len(folder) + 1:]: content for name, content in files.items() if name.startswith(f"{folder}/")}


def state_of(folder):
    """Every file's bytes, and every record of the workspace."""
    files, rubbish = {}, []
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            shown = os.path.relpath(path, folder)
            if name.endswith(".tmp"):
                rubbish.append(shown)
            elif os.path.islink(path):
                files[shown] = os.readlink(path)
            elif not name.startswith("workspace.db"):
                with open(path, "rb") as file:
                    files[shown] = file.read()
    records = {}
    database = f"{folder}/.procsim/workspace.db"
    if os.path.exists(database):
        connection = sqlite3.connect(database)
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            rubbish.append("the database is damaged")
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in sorted(tables):
            if table in NOT_COMPARED or table.startswith("sqlite_"):
                continue
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            kept = [c for c in columns if c not in ("used", "root", "source", "process")]
            rows = connection.execute(f"SELECT {', '.join(kept)} FROM {table}").fetchall()
            if rows:  # an empty database is as good as none
                records[table] = sorted(map(repr, rows))
        connection.close()
    return files, records, rubbish


def difference(found, wanted):
    if found[2]:
        return f"left behind: {found[2]}"
    for name in sorted(set(found[0]) | set(wanted[0])):
        if found[0].get(name) != wanted[0].get(name):
            return f"file {name}: {'missing' if name not in found[0] else 'extra' if name not in wanted[0] else 'differs'}"
    for table in sorted(set(found[1]) | set(wanted[1])):
        if found[1].get(table) != wanted[1].get(table):
            return f"records of {table} differ: {found[1].get(table)} instead of {wanted[1].get(table)}"
    return None


class Pipeline:
    def __init__(self, options):
        self.options = options
        self.work = tempfile.mkdtemp(prefix="faults-")
        self.place = f"{self.work}/place"  # always the same, so that absolute paths are
        self.failures, self.runs = [], 0

    def run(self, words, fault=None, at=0, delay=None):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("FAULT_", "PROCSIM_WORKSPACE"))}
        log = f"{self.work}/calls"
        if fault or delay is None:
            environment["LD_PRELOAD"] = self.options.hook
            environment["FAULT_LOG"] = log
        if fault:
            environment.update(FAULT_KIND=fault, FAULT_AT=str(at))
        self.runs += 1
        process = subprocess.Popen([f"{self.options.bin}/{words[0]}", *words[1:]], cwd=self.place, env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if delay is not None:
            time.sleep(delay)
            process.kill()
        out, err = process.communicate(timeout=120)
        calls = 0
        if os.path.exists(log):
            with open(log) as file:
                calls = int(file.read().split()[0] or 0)
            os.remove(log)
        return process.returncode, err.decode(errors="replace"), calls

    def restore(self, name):
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(f"{self.work}/{name}", self.place, symlinks=True)

    def keep(self, name):
        shutil.copytree(self.place, f"{self.work}/{name}", symlinks=True)

    def fail(self, step, what, why):
        self.failures.append(f"{step}, {what}: {why}")
        print(f"LOST  {step}, {what}: {why}"[:600], flush=True)

    def finish(self, step, words, what, after):
        """The same command again must end where an undisturbed one does."""
        if difference(state_of(self.place), after) is None:
            return  # it had come to its end
        code, err, _ = self.run(words)
        if code != 0:
            self.fail(step, what, f"again: exit {code}: {err.strip()}")
        elif problem := difference(state_of(self.place), after):
            self.fail(step, what, problem)

    def disturb(self, step, words):
        before = state_of(self.place)
        self.keep(f"before-{step}")
        started = time.monotonic()
        code, err, calls = self.run(words)
        taken = time.monotonic() - started
        if code != 0:
            sys.exit(f"{step}: undisturbed: exit {code}: {err}")
        after = state_of(self.place)
        self.keep(f"after-{step}")
        for fault in ("kill", "after", "full"):
            for at in range(1, calls + 1, self.options.every):
                what = f"{fault} at call {at} of {calls}"
                self.restore(f"before-{step}")
                code, err, _ = self.run(words, fault, at)
                if places := ALWAYS_THERE.get(step):
                    files = state_of(self.place)[0]
                    whole = [below(state[0], places[0]) for state in (before, after)]
                    if not any(below(files, place) in whole for place in places):
                        self.fail(step, what, f"neither the old {places[0]} nor the new one is there")
                if fault == "full" and code not in (0, 1):
                    self.fail(step, what, f"exit {code}: {err.strip()}")
                if fault == "full" and code == 1:
                    if len([line for line in err.splitlines() if ": " in line and not line.startswith(" ")]) < 1:
                        self.fail(step, what, "failed without a word")
                    # Opening the workspace undoes what could not be undone on a full disk.
                    state = state_of(self.place)
                    if os.path.exists(f"{self.place}/.procsim/workspace.db"):
                        self.run(["curate", "log"])
                        state = state_of(self.place)
                    state = (state[0], {k: v for k, v in state[1].items() if k != "decisions_head" or before[1]}, [])
                    # Where the database could not be flushed, both may be: it is one of them.
                    if (problem := difference(state, before)) and difference(state, after):
                        self.fail(step, what, f"not as before: {problem}")
                self.finish(step, words, what, after)
        draw = random.Random(f"{self.options.seed} {step}")
        for _ in range(self.options.random):
            delay = draw.random() * taken * 1.2
            self.restore(f"before-{step}")
            self.run(words, delay=delay)
            self.finish(step, words, f"killed after {delay:.4f} s", after)
        self.restore(f"after-{step}")
        print(f"{step}: {calls} calls, {self.runs} runs so far, {len(self.failures)} lost", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--hook", required=True, type=os.path.abspath)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    pipeline = Pipeline(parser.parse_args())
    try:
        os.makedirs(pipeline.place)
        make_inputs(pipeline.place)
        for step, words in STEPS:
            if pipeline.options.only in (None, step):
                pipeline.disturb(step, words)
            elif pipeline.run(words)[0] != 0:
                sys.exit(f"{step} failed undisturbed")
    finally:
        shutil.rmtree(pipeline.work, ignore_errors=True)
    print(f"{pipeline.runs} runs, {len(pipeline.failures)} lost")
    sys.exit(1 if pipeline.failures else 0)


if __name__ == "__main__":
    main()
