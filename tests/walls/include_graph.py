"""Who includes whom among our own sources, and what is wrong with it: the walls that a compiler does not see.

    python3 tests/walls/include_graph.py [ROOT]

Prints every cycle, every file that is too long and every method compared by its name, and fails if there is one.
"""
import pathlib
import re
import sys

FOLDERS = ("data", "taxonomy", "noise", "train", "curate", "tools")
# Folders in which a header and its source count as one: what a source includes must not include it back. Elsewhere a
# reader and the formats that it hands over to may share a header.
UNITS_IN = ("curate", "train")
# Folder → the most lines that a file of it may have.
MOST_LINES = {"train": 300}

# A method, and the loss and the trust that it is made of, is asked, never compared by its name, but where names are kept.
METHOD_COMPARED = re.compile(
    r"""\bmethod\s*[!=]=|[!=]=\s*\w+(\.|->)method\b"""
    r"""|\b(config|options|settings)_?(\.|->)(loss|confidence)\s*[!=]="""
    r"""|\b(loss|confidence)\s*[!=]=\s*"|"[\w-]+"\s*[!=]=\s*(\w+(\.|->))?(method|loss|confidence)\b"""
)
KEEPS_METHODS = ("train/methods/registry.cpp",)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def sources(root):
    """Paths of our sources, relative to the root, in order."""
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]pp"))
    return sorted(path.relative_to(root).as_posix() for path in found)


def included(root, source):
    """What a source includes of ours; generated headers are left out."""
    return [name for name in INCLUDE.findall((root / source).read_text()) if (root / name).is_file()]


def unit_of(source):
    """A header and its source are one thing: including the one is using the other."""
    return source.rsplit(".", 1)[0]


def room_of(source):
    return source.rsplit("/", 1)[0]


def graph(root, node_of, files):
    edges = {}
    for file in files:
        targets = edges.setdefault(node_of(file), set())
        targets.update(node_of(name) for name in included(root, file))
        targets.discard(node_of(file))
    return edges


def cycles(edges):
    """A shortest cycle for every knot of nodes that reach each other, each as the list of its nodes."""
    reach = {}

    def reached(start):
        if start not in reach:
            seen, waiting = set(), [start]
            while waiting:
                for target in edges.get(waiting.pop(), ()):
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
            reach[start] = seen
        return reach[start]

    found, told = [], set()
    for node in sorted(edges):
        if node in told or node not in reached(node):
            continue
        told.update(other for other in reached(node) if node in reached(other))
        found.append(shortest_way_back(edges, node))
    return found


def shortest_way_back(edges, start):
    came_from, waiting = {}, [start]
    for node in waiting:
        for target in sorted(edges.get(node, ())):
            if target == start:
                way = [node]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if target not in came_from:
                came_from[target] = node
                waiting.append(target)
    raise ValueError(f"{start} does not reach itself")


def findings(root):
    root = pathlib.Path(root)
    files = sources(root)
    lines = []
    for kind, node_of, some in (
        ("headers", str, [file for file in files if file.endswith(".hpp")]),
        ("sources", unit_of, [file for file in files if file.split("/")[0] in UNITS_IN]),
        ("rooms", room_of, files),
    ):
        lines += [f"{kind} include each other: {' → '.join(way + way[:1])}" for way in cycles(graph(root, node_of, some))]
    for file in files:
        if file.startswith(("train/", "tools/train/")) and file not in KEEPS_METHODS:
            if METHOD_COMPARED.search((root / file).read_text()):
                lines.append(f"{file} compares the name of a method: only the registry may")
        most = MOST_LINES.get(file.split("/")[0])
        length = (root / file).read_text().count("\n")
        if most and length > most:
            lines.append(f"{file} has {length} lines, more than {most}: take a part of it out")
    return lines


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    wrong = findings(root)
    print("\n".join(wrong) if wrong else f"{len(sources(root))} sources, no cycle")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
