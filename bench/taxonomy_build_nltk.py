#!/usr/bin/env python3
"""Compares `taxo build` with NLTK's WordNet reader at the same task: read the database, resolve the names of the CUB birds
below bird.n.01 (full name, then shorter ends of it, then the head noun), and follow the hypernyms up to the root. Prints
seconds of the whole process, the best of several runs, and the ratio; and how many classes both resolve to the same
synset.

    bench/taxonomy_build_nltk.py [--names FILE] [--runs N]

NLTK comes from scripts/requirements-bench.txt, installed into build/bench-env at the first run. It wants a file
`lexnames`, which Debian's database does not have: one is written into a copy of it.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

from bench_environment import bench_python

ROOT = Path(__file__).resolve().parent.parent
WORDNET = Path(os.environ.get("WNSEARCHDIR", "/usr/share/wordnet"))
CUB = ROOT.parent / "shared/cub200/CUB_200_2011/classes.txt"
LEXNAMES = """adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance
noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl"""


def resolve_with_nltk(folder, names):
    """The peer: runs in its own process, prints {name: synset}."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    warnings.simplefilter("ignore")  # there is no multilingual WordNet, and none is wanted
    nltk.data.path[:] = [folder]  # it reads from its own folders only

    class Reader(WordNetCorpusReader):
        def map_wn(self, version="wordnet"):
            """The mapping between releases that other languages need takes seconds: left out, to be fair."""

    reader = Reader(nltk.data.find("corpora/wordnet"), None)
    root = reader.synset("bird.n.01")
    found = {}
    for name in names:
        words = name.lower().split()
        for start in range(len(words)):
            phrase = words[start:]
            spellings = ["_".join(phrase), "-".join(phrase)]
            if len(phrase) > 2:
                spellings.append("-".join(phrase[:-1]) + "_" + phrase[-1])
            if len(phrase) == 2:
                spellings.append(phrase[0] + "'s_" + phrase[1])
            senses = [s for spelling in spellings for s in reader.synsets(spelling, "n")]
            below = [s for s in senses if any(root in path for path in s.hypernym_paths())]
            if below:
                found[name] = below[0].name()
                break
    print(json.dumps(found))


def make_nltk_folder(folder):
    corpus = folder / "corpora/wordnet"
    corpus.mkdir(parents=True)
    for file in WORDNET.iterdir():
        shutil.copyfile(file, corpus / file.name)
    pos = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
    lines = (f"{i:02}\t{name}\t{pos[name.split('.')[0]]}\n" for i, name in enumerate(LEXNAMES.split()))
    (corpus / "lexnames").write_text("".join(lines))


def best_of(runs, command, **options):
    best, result = None, None
    for _ in range(runs):
        start = time.perf_counter()
        result = subprocess.run(command, capture_output=True, text=True, **options)
        seconds = time.perf_counter() - start
        if result.returncode:
            sys.exit(f"$ {' '.join(map(str, command))}\n{result.stderr}")
        best = seconds if best is None else min(best, seconds)
    return best, result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=Path, help="one class name a line (default: CUB's, from ../shared)")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if options.names:
        names = [line.strip() for line in options.names.read_text().splitlines() if line.strip()]
    elif CUB.exists():
        names = [line.split(".", 1)[1].replace("_", " ") for line in CUB.read_text().splitlines()]
    else:
        sys.exit(f"{CUB} is not there; give --names FILE")
    python = bench_python("requirements-bench.txt")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_nltk_folder(folder)
        list_file = folder / "birds.txt"
        list_file.write_text("\n".join(names) + "\n")
        peer, output = best_of(options.runs, [python, __file__, "--peer", folder, list_file])
        found = json.loads(output)
        taxo = [ROOT / "build/bin/taxo", "build", list_file, "--root-synset", "bird.n.01", "--quiet"]
        ours, _ = best_of(options.runs, [*taxo, "--workspace", folder])
        classes = json.loads((folder / ".procsim/taxonomies/birds.json").read_text())["classes"]
    resolved = {c["published"]: c["node"] for c in classes if c["how"] != "unresolved"}
    same = sum(resolved.get(name) == node for name, node in found.items())
    print(f"names                    {len(names)}")
    print(f"resolved  taxo / NLTK    {len(resolved)} / {len(found)}, {same} to the same synset")
    print(f"taxo build               {ours:.3f} s (database checked, taxonomy and table written)")
    print(f"NLTK                     {peer:.3f} s (names resolved only)")
    print(f"ratio                    {peer / ours:.1f} times as fast")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--peer":
        resolve_with_nltk(sys.argv[2], Path(sys.argv[3]).read_text().splitlines())
    else:
        main()
