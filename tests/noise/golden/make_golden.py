#!/usr/bin/env python3
"""Expected labels for tests/noise/golden_test.cpp, computed without any of our code.

Philox4x32-10, the key derivation, the class tree and the noise models are written again here from their descriptions
(docs/noise.md), with plain Python integers. Run it to make expected_seed{1,2,3}.csv anew:

    python3 tests/noise/golden/make_golden.py
"""

import csv
import hashlib
import math
import pathlib

MASK = 0xFFFFFFFF

# The same tree as in golden_test.cpp: (child, parent) and (class, node).
EDGES = [("seabird", "bird"), ("gull", "seabird"), ("auk", "seabird"), ("auklet", "auk"), ("passerine", "bird"),
         ("finch", "passerine"), ("sparrow", "finch"), ("warbler", "passerine"), ("raptor", "bird"), ("owl", "raptor")]
CLASSES = [("Heermann Gull", "gull"), ("Ivory Gull", "gull"), ("Western Gull", "gull"), ("Crested Auklet", "auklet"),
           ("Least Auklet", "auklet"), ("Purple Finch", "finch"), ("Fox Sparrow", "sparrow"),
           ("House Sparrow", "sparrow"), ("Blue-winged Warbler", "warbler"), ("Barn Owl", "owl"),
           ("Osprey", "raptor"), ("Great Auk", "auk")]
ONLY_IN_TEST = 11


def rows():
    """(sample_id, label, split), as golden_test.cpp makes them."""
    out = []
    for i in range(150):
        label = (i * 7 + i // 11) % len(CLASSES)
        split = "test" if label == ONLY_IN_TEST or i % 13 == 5 else "train"
        out.append((7 * i * i + 3 * i - 500, label, split))
    return out


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


class Draws:
    def __init__(self, seed, purpose, sample):
        digest = hashlib.sha256(f"{seed}\n{purpose}".encode()).hexdigest()
        self.key = (int(digest[:8], 16), int(digest[8:16], 16))
        self.id = sample & 0xFFFFFFFFFFFFFFFF
        self.block, self.words = 0, []

    def bits(self):
        if not self.words:
            self.words = philox((self.block & MASK, self.block >> 32, self.id & MASK, self.id >> 32), self.key)
            self.block += 1
        high, low = self.words[0], self.words[1]
        self.words = self.words[2:]
        return high << 32 | low

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def below(self, bound):
        threshold = (2**64 - bound) % bound
        while True:
            product = self.bits() * bound
            if product & 0xFFFFFFFFFFFFFFFF >= threshold:
                return product >> 64


class Node:
    def __init__(self, label=None):
        self.label, self.children, self.parent = label, [], None


def tree(present):
    """Pruned to the classes that are present, single children collapsed; children: nodes by id, then leaves by label."""
    names = {child for child, _ in EDGES} | {parent for _, parent in EDGES}
    root = (names - {child for child, _ in EDGES}).pop()

    def build(name):
        children = [build(child) for child in sorted(c for c, p in EDGES if p == name)]
        children += [Node(i) for i, (_, node) in enumerate(CLASSES) if node == name and i in present]
        children = [child for child in children if child is not None]
        if not children:
            return None
        if len(children) == 1:
            return children[0]
        node = Node()
        node.children = children
        return node

    def link(node):
        for child in node.children:
            child.parent = node
            link(child)

    top = build(root)
    link(top)
    return top


def leaves(node):
    return [node] if not node.children else [leaf for child in node.children for leaf in leaves(child)]


def path_up(node):
    steps = [node]
    while steps[-1].parent is not None:
        steps.append(steps[-1].parent)
    return steps


def distance(a, b):
    up_a, up_b = path_up(a), path_up(b)
    return next(i + up_b.index(node) for i, node in enumerate(up_a) if node in up_b)


def skip(items, own, draws):
    others = [item for item in items if item is not own]
    return others[draws.below(len(others))]


def draw_semantic(top, leaf, draws, step):
    node = skip(leaf.parent.children, leaf, draws)
    if step == "leaves":
        below = leaves(node)
        return below[0 if len(below) == 1 else draws.below(len(below))]
    while node.children:
        node = node.children[draws.below(len(node.children))]
    return node


def draw_superclass(top, leaf, draws):
    up = path_up(leaf)
    if len(up) < 2:
        return None
    group = leaves(up[-2])  # below the root
    return skip(group, leaf, draws) if len(group) > 1 else None


def draw_distance(top, leaf, draws, temperature):
    def weight(node):  # of all leaves below, seen from the node itself
        return 1.0 if not node.children else sum(math.exp(-1 / temperature) * weight(c) for c in node.children)

    def choose(nodes, weights):
        left = draws.uniform() * sum(weights)
        for node, each in zip(nodes, weights):
            if left < each:
                return node
            left -= each
        return nodes[-1]

    turns, weights, node, up = [], [], leaf, 1.0
    while node.parent is not None:
        up *= math.exp(-1 / temperature)
        for child in node.parent.children:
            if child is not node:
                turns.append(child)
                weights.append(up * math.exp(-1 / temperature) * weight(child))
        node = node.parent
    node = choose(turns, weights)
    while node.children:
        node = choose(node.children, [weight(child) for child in node.children])
    return node


def inject(seed, components, exact=False, stratify=False, step="descend", temperature=1.0, min_per_class=2):
    """components: [(kind, rate)]. The new label of every row."""
    data = rows()
    train = [(sample, label) for sample, label, split in data if split == "train"]
    present = sorted({label for _, label in train})
    top = tree(set(present))
    leaf_of = {leaf.label: leaf for leaf in leaves(top)}
    rank = {sample: (Draws(seed, "noise/flip/1", sample).bits() >> 11, sample) for sample, _ in train}

    def target(kind, sample, label):
        draws = Draws(seed, f"noise/target/{kind}/1", sample)
        if kind == "uniform":
            return skip(present, next(p for p in present if p == label), draws)
        if kind == "pair":
            return present[(present.index(label) + 1) % len(present)]
        leaf = leaf_of[label]
        if kind == "semantic":
            node = draw_semantic(top, leaf, draws, step)
        elif kind == "superclass":
            node = draw_superclass(top, leaf, draws)
        else:
            node = draw_distance(top, leaf, draws, temperature)
        return None if node is None else node.label

    chosen = {}  # sample → component
    if exact:
        groups = [[s for s in train if s[1] == label] for label in present] if stratify else [train]
        quotas = [sum(rate for _, rate in components) * len(group) for group in groups]
        total = math.floor(sum(quotas) + 0.5)
        counts = [math.floor(q) for q in quotas]
        order = sorted(range(len(quotas)), key=lambda i: (-(quotas[i] - math.floor(quotas[i])), i))
        for i in order[:total - sum(counts)]:
            counts[i] += 1
        assert len(components) == 1
        for group, count in zip(groups, counts):
            for sample, _ in sorted(group, key=lambda s: rank[s[0]])[:count]:
                chosen[sample] = components[0][0]
    else:
        for sample, _ in train:
            share = 0.0
            for kind, rate in components:
                share += rate
                if rank[sample][0] * 2.0**-53 < share:
                    chosen[sample] = kind
                    break

    flips = {}
    for sample, label in train:
        if sample in chosen:
            new = target(chosen[sample], sample, label)
            if new is not None:
                flips[sample] = (label, new)

    # Guard: rounds of taking back the flips with the largest ranks of classes that lack samples.
    count = {label: sum(1 for _, l in train if l == label) for label in present}
    floor = {label: min(count[label], max(1, min_per_class)) for label in present}
    for old, new in flips.values():
        count[old] -= 1
        count[new] += 1
    while True:
        lacking = {label: floor[label] - count[label] for label in present if count[label] < floor[label]}
        if not lacking:
            break
        for label, missing in lacking.items():
            mine = sorted((s for s in flips if flips[s][0] == label), key=lambda s: rank[s], reverse=True)
            for sample in mine[:missing]:
                old, new = flips.pop(sample)
                count[old] += 1
                count[new] -= 1

    return [(sample, flips[sample][1] if split == "train" and sample in flips else label)
            for sample, label, split in data]


CASES = {
    "uniform": dict(components=[("uniform", 0.3)]),
    "semantic": dict(components=[("semantic", 0.4)]),
    "semantic-all": dict(components=[("semantic", 1.0)]),
    "semantic-leaves": dict(components=[("semantic", 0.4)], step="leaves"),
    "pair": dict(components=[("pair", 0.25)]),
    "superclass": dict(components=[("superclass", 0.5)]),
    "distance": dict(components=[("distance", 0.5)], temperature=1.5),
    "mix": dict(components=[("semantic", 0.2), ("uniform", 0.1)]),
    "exact": dict(components=[("uniform", 0.27)], exact=True),
    "stratified": dict(components=[("semantic", 0.35)], exact=True, stratify=True),
}


def main():
    folder = pathlib.Path(__file__).parent
    for seed in (1, 2, 3):
        results = {name: inject(seed, **arguments) for name, arguments in CASES.items()}
        with open(folder / f"expected_seed{seed}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["sample_id", *CASES])
            for i, (sample, _, _) in enumerate(rows()):
                writer.writerow([sample, *(results[name][i][1] for name in CASES)])


if __name__ == "__main__":
    main()
