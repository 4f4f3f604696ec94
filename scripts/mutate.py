#!/usr/bin/env python3
"""Changes one operator, number or statement of our C++ at a time, and says which changes no test notices.

    scripts/mutate.py data/measures data/files/atomic_file.cpp --count 40    a sample of forty of these files
    scripts/mutate.py data/measures --list                                   what could be changed

A change is compiled by itself and linked in front of what the release preset has built (scripts/build.sh), so that it costs one
object and one link; the checkout is not touched. It counts as noticed when a test of its file (x_test.cpp, or what
tests/tested_by.cmake names) fails, hangs or crashes. What was judged is kept in build/mutants/judged.jsonl and not judged again, so
that a sample can be taken in pieces (--seconds).
"""

import argparse
import hashlib
import json
import random
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
WORK = ROOT / "build/mutants"
JUDGED = WORK / "judged.jsonl"

SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
           "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "true": "false", "false": "true",
           "std::min": "std::max", "std::max": "std::min", "!": ""}
# clang-format puts spaces around binary operators and none around those of templates, pointers and references.
OPERATORS = [
    re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|[<>+*/%-])(?= )"),
    re.compile(r"\b(true|false|std::min|std::max)\b"),
    re.compile(r"(!)(?=[\w(])"),
]
NUMBER = re.compile(r"(?<![\w.'])(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w.'])")
# A call, a throw or a jump that stands alone.
STATEMENT = re.compile(r"^\s*(?:else )?(?:if \([^;{}]*\) )?((?:throw |break|continue|[\w.:>-]+\().*;)$")
CONDITION = re.compile(r"\bif (\((?:[^;{}()]|\([^()]*\))*\))")


def code_of(line):
    """The line with what stands in strings, characters and comments made blank."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'', lambda text: "_" * len(text.group()), line)
    line = re.sub(r"//.*", lambda text: " " * len(text.group()), line)
    return "" if line.lstrip().startswith("#") or "::kill(" in line else line  # a signal goes to somebody else's process


def balanced(text):
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def mutants_of(file):
    """(line, from, to, replacement) of every change."""
    for number, line in enumerate((ROOT / file).read_text().split("\n")):
        code = code_of(line)
        for pattern in OPERATORS:
            for found in pattern.finditer(code):
                yield number, *found.span(1), SWAPPED[found.group(1)]
        for found in NUMBER.finditer(code):
            value = found.group(1)
            yield number, *found.span(1), str(int(value) + 1) if value.isdigit() else repr(float(value) * 2 or 1.0)
        if (found := STATEMENT.match(code)) and balanced(found.group(1)):
            yield number, *found.span(1), ";"
        for found in CONDITION.finditer(code):
            if " = " not in found.group(1):
                yield number, *found.span(1), "(false)"


def test_of(file):
    """Of x.cpp x_test.cpp, or what tests/tested_by.cmake names."""
    test = ROOT / "tests" / f"{Path(file).with_suffix('')}_test.cpp"
    if test.exists():
        return test
    for block in (ROOT / "tests/tested_by.cmake").read_text().split("procsim_tested_by(")[1:]:
        if re.search(rf"^\s*{re.escape(file)}\)?$", block, re.M):
            return ROOT / "tests" / block.split()[0]
    sys.exit(f"mutate: no test of {file}")


def program_of(test):
    for folder in test.parents:
        if not (lists := folder / "CMakeLists.txt").exists():
            continue
        for program, sources in re.findall(r"procsim_test\(\s*(\w+)\s+SOURCES(.*?)LIBRARIES", lists.read_text(), re.S):
            if str(test.relative_to(folder)) in sources.split():
                return program
    sys.exit(f"mutate: {test} is in no test program")


class Room:
    """How a source is compiled, and how its test program is linked."""

    def __init__(self, file):
        self.file = file
        test = test_of(file)
        suites = sorted(set(re.findall(r"^TEST(?:_[FP])?\((\w+),", test.read_text(), re.M)))
        self.filter = ":".join(f"{suite}.*:*/{suite}.*" for suite in suites)
        self.compiler = self.compile_command()
        self.linker = self.link_command(program_of(test))
        self.digest = hashlib.sha256((ROOT / file).read_bytes() + test.read_bytes()).hexdigest()

    def compile_command(self):
        for entry in json.loads((BUILD / "compile_commands.json").read_text()):
            source = Path(entry["file"])
            if source == ROOT / self.file or "Unity" in entry["file"] and f"/{self.file}\"" in source.read_text():
                words = shlex.split(entry["command"])
                for option in ("-o", "-c"):
                    del words[words.index(option) : words.index(option) + 2]
                return words + ["-w", "-c", str(WORK / "mutant.cpp"), "-o", str(WORK / "mutant.o")]
        sys.exit(f"mutate: the release preset does not compile {self.file}")

    def link_command(self, program):
        made = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", program], stdout=subprocess.PIPE, text=True, check=True)
        words = shlex.split(made.stdout.strip().splitlines()[-1].split("&&")[1])
        words[words.index("-o") + 1] = str(WORK / "tests")
        # The first of two definitions counts: the mutant's, before the one in the library.
        return words[:1] + [str(WORK / "mutant.o"), "-Wl,--allow-multiple-definition"] + words[1:]

    def build(self, text):
        (WORK / "mutant.cpp").write_text(text)
        for command in (self.compiler, self.linker):
            if (made := subprocess.run(command, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)).returncode:
                return made.stdout
        return None

    def notices(self, seconds):
        words = [str(WORK / "tests"), "--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={self.filter}"]
        try:
            return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds).returncode != 0
        except subprocess.TimeoutExpired:
            return True

    def prepare(self):
        """Of the source as it is, every test must pass; how long they take bounds how long a mutant may."""
        if why := self.build((ROOT / self.file).read_text()):
            sys.exit(f"mutate: {self.file} does not build: {why[-2000:]}\nBuild its test program first (scripts/build.sh).")
        begin = time.monotonic()
        if self.notices(600):
            sys.exit(f"mutate: a test of {self.file} fails as it is ({self.filter})")
        self.seconds = 5 + 5 * (time.monotonic() - begin)

    def verdict(self, number, begin, end, replacement):
        lines = (ROOT / self.file).read_text().split("\n")
        lines[number] = lines[number][:begin] + replacement + lines[number][end:]
        if self.build("\n".join(lines)):
            return "do not compile"
        return "noticed" if self.notices(self.seconds) else "survived"


def shown(file, number, begin, end, replacement):
    line = (ROOT / file).read_text().split("\n")[number]
    return f"{file}:{number + 1}: {line[:begin].lstrip()}[{line[begin:end]} → {replacement or 'nothing'}]{line[end:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="sources, or folders of sources")
    parser.add_argument("--count", type=int, help="a sample of so many (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more after so long")
    parser.add_argument("--list", action="store_true", help="only say what could be changed")
    given = parser.parse_args()

    files = []
    for name in given.files:
        path = (ROOT / name).resolve()
        found = sorted(path.glob("**/*.cpp")) if path.is_dir() else [path]
        files += [str(each.relative_to(ROOT)) for each in found]
    mutants = [(file, *mutant) for file in files for mutant in mutants_of(file)]
    if given.count is not None and given.count < len(mutants):
        mutants = sorted(random.Random(given.seed).sample(mutants, given.count))
    if given.list:
        print("\n".join(shown(*mutant) for mutant in mutants))
        return 0

    WORK.mkdir(parents=True, exist_ok=True)
    entries = map(json.loads, JUDGED.read_text().splitlines()) if JUDGED.exists() else []
    known = {entry["key"]: entry["verdict"] for entry in entries}
    rooms, prepared, verdicts, begin = {}, None, Counter(), time.monotonic()
    for file, *change in mutants:
        if file not in rooms:
            rooms[file] = Room(file)
        room = rooms[file]
        key = f"{room.digest} {change}"
        if key not in known:
            if time.monotonic() - begin > given.seconds:
                verdicts["left"] += 1
                continue
            if prepared is not room:
                room.prepare()
                prepared = room
            known[key] = room.verdict(*change)
            with JUDGED.open("a") as judged:
                judged.write(json.dumps({"key": key, "verdict": known[key], "change": shown(file, *change)}) + "\n")
        verdicts[known[key]] += 1
        if known[key] == "survived":
            print(f"survived  {shown(file, *change)}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
