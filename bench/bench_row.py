"""What the rows of bench/run.sh share: turns, spread, a line of JSON for each row, and the table made of these lines.

    bench/bench_row.py FILE                            prints the table of such a file
    bench/bench_row.py FILE --into docs/benchmarks.md  and puts it between the marks of that page
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = Path(os.environ.get("PROCSIM_MODELS", ROOT / "build/models")) / "efficientnet-lite0.safetensors"  # of our side

def add_options(parser, rounds):
    parser.add_argument("--rounds", type=int, default=rounds, help="turns of ours and the peer (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs: says nothing of the ratio")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also add the row to this file")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin", help="folder of the programs (default: build/bin)")


# A process starts with the peak memory of the one that starts it: so a small one does.
LAUNCHER = """
import json, os, sys, time
start = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ), 0)
seconds = time.perf_counter() - start
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss // 1024], file)
"""


def run(command, **options):
    """Of a process: what it printed, its wall seconds and its peak memory in MB."""
    words = list(map(str, command))
    with tempfile.NamedTemporaryFile() as said:
        output = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, said.name, *words], stdout=subprocess.PIPE, text=True, check=True,
                                **options).stdout
        code, seconds, megabytes = json.load(said)
    if code != 0:
        sys.exit(f"failed: {' '.join(words)}")
    return output, seconds, megabytes


def run_json(command, **options):
    """The last line that it prints, with its peak memory as "MB"."""
    output, _, megabytes = run(command, **options)
    return {**json.loads(output.strip().splitlines()[-1]), "MB": megabytes}


def in_turns(rounds, *sides):
    """What each side gives, round by round: a list of the rounds for every side."""
    results = [[] for _ in sides]
    for _ in range(rounds):
        for side, said in zip(sides, results):
            said.append(side())
    return results


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def finish(options, row, work, ours, target, unit="s", peer="", theirs=(), note=""):
    """Says the row, and adds it to the file that was asked for. Numbers of ours and theirs are those of the rounds, one beside
    the other; without a peer the target is of our numbers themselves."""
    ratios = [a / b for a, b in zip(ours, theirs)] or list(ours)
    line = {"row": row, "work": work, "peer": peer, "unit": unit, "ours": ours, "theirs": list(theirs),
            "ratio": statistics.median(ratios), "from": min(ratios), "to": max(ratios), "target": target,
            "met": statistics.median(ratios) <= target, "quick": options.quick, "commit": commit(), "note": note}
    print(as_text(line), flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        with options.json.open("a") as file:
            file.write(json.dumps(line) + "\n")


def number(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def spread(line):
    middle = number(line["ratio"])
    return middle if len(line["ours"]) == 1 else f"{middle} ({number(line['from'])} – {number(line['to'])})"


def as_text(line):
    against = f"peer {number(statistics.median(line['theirs']))} {line['unit']}; ratio {spread(line)}" if line["peer"] else spread(line)
    return (f"{line['row']}: {line['work']}: ours {number(statistics.median(line['ours']))} {line['unit']}, {against}, wanted at most "
            f"{number(line['target'])}{'' if line['met'] else ': MISSED'}{'; ' + line['note'] if line['note'] else ''}")


def table(lines):
    rows = ["| row | work | peer | ours | peer's | ratio | wanted | | commit |", "|---|---|---|---|---|---|---|---|---|"]
    for line in lines:
        theirs = f"{number(statistics.median(line['theirs']))} {line['unit']}" if line["peer"] else ""
        ratio = spread(line) + ("" if line["peer"] else f" {line['unit']}")
        rows.append(f"| {line['row']} | {line['work']} | {line['peer']} | {number(statistics.median(line['ours']))} {line['unit']} | {theirs} | "
                    f"{ratio} | {number(line['target'])} | {'' if line['met'] else '**missed**'}{' quick' if line['quick'] else ''} {line['note']} | {line['commit']} |")
    return "\n".join(rows)


def last_of_each(path):
    """The newest line of every row, in the order in which the rows came first."""
    newest = {}
    for text in path.read_text().splitlines():
        line = json.loads(text)
        newest[line["row"]] = line
    return list(newest.values())


def put_between_marks(page, text):
    begin, end = "<!-- rows -->\n", "<!-- end of rows -->"
    before, _, rest = page.read_text().partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        sys.exit(f"{page} has no place for the table: a line {begin.strip()} and a line {end}")
    page.write_text(f"{before}{begin}{text}\n{end}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    text = table(last_of_each(options.file))
    print(text)
    if options.into:
        put_between_marks(options.into, text)


if __name__ == "__main__":
    main()
