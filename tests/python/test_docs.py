"""The Python of docs/ as a reader would run it, with a few small things of their own."""
import importlib
import pathlib
import re

import numpy as np
import pyarrow as pa
import pytest

import procsim
from conftest import BIRDS

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def snippets(page):
    found = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), flags=re.MULTILINE | re.DOTALL)
    assert found
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch, birds):
    """Where the reader stands: images and labels of birds."""
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "images").mkdir()
    for i in range(320):
        image.new("RGB", (8, 8), (i % 256, 90, 90)).save(tmp_path / f"images/{i}.jpg")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_first_lines(folder, birds):
    three = ["crow", "raven", "gull"]
    labels = pa.table({"label": [three[label % 3] for label in birds[0]], "path": [f"{i}.jpg" for i in range(320)]})
    embeddings = np.concatenate([np.eye(3, dtype=np.float32)[birds[1] % 3], birds[2]], axis=1)
    names = {"labels": labels, "embeddings": embeddings}
    exec(snippets("python.md")[0], names)
    assert len(names["scores"]) == len(names["mended"]) == len(names["noisy"]) == 320
    assert 0 < names["noisy"].counts["changed"] < 320


def test_the_training_loops(birds):
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    labels, rows = torch.from_numpy(birds[0]), torch.from_numpy(birds[2])
    _, loop, ours = snippets("python.md")
    data = torch.utils.data
    names = {"procsim": procsim, "torch": torch, "DataLoader": data.DataLoader, "dataset": data.TensorDataset(rows, labels),
             "network": torch.nn.Linear(16, 8), "classes": 8, "dimension": 8}
    importlib.import_module("procsim.nn")
    exec(loop, names)
    assert torch.isfinite(names["loss"])
    before = names["network"].weight.detach().clone()
    step = "\n        optimizer.zero_grad(); loss.backward(); optimizer.step()"
    assert ours.count("        ...") == 1
    names |= {"epochs": 2, "labels": labels, "embeddings_of_all": lambda network: network(rows),
              "loader": data.DataLoader(data.TensorDataset(rows, torch.arange(320)), batch_size=64, shuffle=True)}
    exec(ours.replace("\n        ...", step), names)
    assert torch.isfinite(names["loss"]) and not torch.equal(before, names["network"].weight)
    assert names["weight"].shape == (320,)


def test_label_sets_in_pandas(folder, label_file):
    pytest.importorskip("pandas")
    names = {}
    for snippet in snippets("formats.md"):
        exec(snippet, names)
    assert len(names["wrong"]) == 32 and names["names"] == BIRDS
    assert procsim.labels(folder / "edited.parquet").classes == BIRDS


def test_distances_in_pandas(folder, tree):
    from conftest import program
    pytest.importorskip("pandas")
    tree = procsim.Taxonomy.build(["House Sparrow", "Crow", "Raven", "Gull"])
    tree.save("tree.json")
    program("taxo", "export", "--taxonomy", "tree.json", "--format", "parquet", "-o", "distances.parquet", check=True)
    names = {}
    exec(snippets("taxonomy.md")[0], names)
    assert names["d"].loc["Crow", "Raven"] == tree.distance("Crow", "Raven")
