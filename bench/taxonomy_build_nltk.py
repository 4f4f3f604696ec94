#!/usr/bin/env python3
"""Compares `taxo build` with NLTK's WordNet reader at the same task: read the database, resolve the names of the CUB birds
below bird.n.01 (full name, then shorter ends of it, then the head noun), and follow the hypernyms up to the root. Seconds of
the whole process, in turns; the note says how many classes both resolve to the same synset.

    bench/taxonomy_build_nltk.py [--names FILE] [--rounds N]

NLTK comes from scripts/requirements-bench.txt, installed into build/bench-env at the first run. It wants a file
`lexnames`, which Debian's database does not have: one is written into a copy of it.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from bench_environment import ROOT, bench_python
from bench_row import add_options, finish, in_turns, run

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=Path, help="one class name a line (default: CUB's, from ../shared)")
    add_options(parser, rounds=5)
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
        peer = [python, __file__, "--peer", folder, list_file]
        taxo = [options.bin / "taxo", "build", list_file, "--root-synset", "bird.n.01", "--quiet", "--workspace", folder]
        run(taxo)  # the workspace is there from now on
        ours, theirs = in_turns(options.rounds, lambda: run(taxo)[1], lambda: run(peer))
        found = json.loads(theirs[-1][0])
        classes = json.loads((folder / ".procsim/taxonomies/birds.json").read_text())["classes"]
    resolved = {c["published"]: c["node"] for c in classes if c["how"] != "unresolved"}
    same = sum(resolved.get(name) == node for name, node in found.items())
    finish(options, "tree", f"tree of {len(names)} CUB classes", ours, 0.05, peer="NLTK, names resolved only", theirs=[side[1] for side in theirs],
           note=f"resolved {len(resolved)} against {len(found)}, {same} to the same synset")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--peer":
        resolve_with_nltk(sys.argv[2], Path(sys.argv[3]).read_text().splitlines())
    else:
        main()
