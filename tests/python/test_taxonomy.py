import json
import pickle

import pytest

import procsim
from conftest import BIRDS, program


def test_is_what_taxo_build_makes(tree, tmp_path):
    (tmp_path / "names.txt").write_text("\n".join(BIRDS))
    program("taxo", "build", "names.txt", folder=tmp_path)
    built = (tmp_path / ".procsim/taxonomies/names.json").read_text()
    assert tree.to_json() == built
    assert procsim.Taxonomy.load(tmp_path / ".procsim/taxonomies/names.json").digest == tree.digest


def test_says_who_is_near(tree):
    assert tree.classes == BIRDS
    assert tree.siblings("crow") == ["raven"]
    assert tree.distance("crow", "crow") == 0
    assert tree.distance("crow", "raven") < tree.distance("crow", "gull")
    distances = tree.distances()
    assert distances.shape == (8, 8) and (distances == distances.T).all()
    assert distances[2, 3] == tree.distance("crow", "raven")
    assert tree.lowest_common_ancestor("crow", "raven") in tree.ancestors("crow")
    assert tree.unresolved == []


def test_an_unknown_class_is_named_with_the_nearest(tree):
    with pytest.raises(procsim.Error, match="'ravn'.*raven"):
        tree.siblings("ravn")


def test_as_a_networkx_graph(tree):
    networkx = pytest.importorskip("networkx")
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph)
    assert {graph.nodes[label]["name"] for label in range(8)} == set(BIRDS)
    path = networkx.shortest_path_length(graph.to_undirected(), BIRDS.index("crow"), BIRDS.index("gull"))
    assert path == tree.distance("crow", "gull")


def test_can_be_saved_and_sent(tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    assert json.loads((tmp_path / "tree.json").read_text())["format"] == "taxonomy"
    assert pickle.loads(pickle.dumps(tree)).digest == tree.digest


def test_words_that_wordnet_does_not_know_hang_from_the_root():
    assert procsim.Taxonomy.build(["cat", "dog", "xqzzt"]).unresolved == ["xqzzt"]


@pytest.mark.parametrize("names, message", [([], "no class names"), ("crow", "give a list"), (7, "give a list"),
                                            (["crow", None], "None is no name")])
def test_what_cannot_be_names_is_said(names, message):
    with pytest.raises(procsim.Error, match=message):
        procsim.Taxonomy.build(names)
