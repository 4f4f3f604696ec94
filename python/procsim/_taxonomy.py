import os
import typing

from . import _libraries
from ._errors import UsageError
from ._progress import progress_callback


class Taxonomy:
    """A class tree: every class is a leaf below a node of WordNet (docs/taxonomy.md).

    Classes go by their name, the name as published, or their number; nodes by their id ("sparrow.n.01").
    """

    def __init__(self, tree, name="taxonomy.json"):
        self._tree = tree
        self._name = name

    @classmethod
    def build(cls, names: typing.Iterable[str], *, dataset: str = "names", root: typing.Optional[str] = None,
              overrides: typing.Optional[os.PathLike] = None, progress=None) -> "Taxonomy":
        """The tree of class names, in their order; what `taxo build` makes.

        root: synset that all are under ("bird.n.01"); by default their lowest common hypernym.
        overrides: TSV file of class, sense key and reason. dataset: "cub200", "cars196" and "sop" bring their own.
        """
        if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
            raise UsageError("names: give a list of class names")
        names = list(names)
        if other := [name for name in names if not isinstance(name, str)]:
            raise UsageError(f"names: {other[0]!r} is no name; give a list of class names")
        with progress_callback(progress, "class names") as report:
            tree = _libraries.core().build_taxonomy(names, dataset, root, None if overrides is None else str(overrides),
                                                    _libraries.wordnet_folder(), report)
        return cls(tree, f"{dataset}.json")

    @classmethod
    def load(cls, path: os.PathLike) -> "Taxonomy":
        """From a file that `taxo build`, `taxo import` or `save` wrote."""
        return cls(_libraries.core().load_taxonomy(os.fspath(path)), os.path.basename(os.fspath(path)))

    @classmethod
    def of(cls, taxonomy) -> "typing.Optional[Taxonomy]":
        """`taxonomy` itself, loaded where it is a path; None stays None."""
        if taxonomy is None or isinstance(taxonomy, cls):
            return taxonomy
        if isinstance(taxonomy, (str, os.PathLike)):
            return cls.load(taxonomy)
        raise UsageError("taxonomy: give a procsim.Taxonomy or the path of its file")

    def save(self, path: os.PathLike) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())

    def to_json(self) -> str:
        """The same bytes as the programs' file."""
        return self._tree.to_json()

    @property
    def dataset(self) -> str:
        return self._tree.dataset

    @property
    def digest(self) -> str:
        """SHA-256 of to_json()."""
        return self._tree.digest

    @property
    def root(self) -> str:
        return self._tree.root

    @property
    def classes(self) -> "list[str]":
        """Names; the place is the label."""
        return [name for name, *_ in self._tree.classes()]

    @property
    def unresolved(self) -> "list[str]":
        """Classes that WordNet does not know: they hang from the root."""
        return [name for name, _, _, how in self._tree.classes() if how == "unresolved"]

    def node_of(self, name: str) -> str:
        """The id of the node that a class hangs from."""
        return self._tree.classes()[self._tree.find_class(str(name))][2]

    def siblings(self, name: str) -> "list[str]":
        """The classes that semantic noise confuses a class with."""
        return self._tree.siblings(str(name))

    def distance(self, a: str, b: str) -> int:
        """Edges between two classes or nodes in the full tree."""
        return self._tree.distance(str(a), str(b))

    def distances(self):
        """All classes against all classes: a NumPy array of edges."""
        return self._tree.distances()

    def ancestors(self, name: str) -> "list[str]":
        """Node ids from the class's node up to the root."""
        return self._tree.ancestors(str(name))

    def lowest_common_ancestor(self, a: str, b: str) -> str:
        return self._tree.lowest_common_ancestor(str(a), str(b))

    def to_networkx(self):
        """A networkx.DiGraph of the tree, parents to children: nodes by id, classes by their label (an int).

        Nodes carry `name`; classes also `label`.
        """
        import networkx
        graph = networkx.DiGraph(dataset=self.dataset)
        rows = self._tree.nodes()
        for node, name, _, label in rows:
            if label is None:
                graph.add_node(node, name=name)
            else:
                graph.add_node(label, name=name, label=label)
        for node, _, parent, label in rows:
            if parent is not None:
                graph.add_edge(parent, node if label is None else label)
        return graph

    def __len__(self):
        return self._tree.class_count

    def __repr__(self):
        return f"<procsim.Taxonomy of {self.dataset}: {len(self)} classes below {self.root}>"

    def __reduce__(self):
        return _from_json, (self.to_json(), self._name)


def _from_json(text, name):
    return Taxonomy(_libraries.core().taxonomy_from_json(text), name)
