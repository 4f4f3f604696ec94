"""What people call labels, and what is wrong with some of it."""
import numpy as np
import pyarrow as pa
import pytest

import procsim


def values(labels):
    return labels["label"].to_pylist()


def test_names_are_numbered_in_order():
    labels = procsim.labels(["crow", "gull", None, "crow"])
    assert labels.classes == ["crow", "gull"]
    assert values(labels) == [0, 1, -1, 0]
    assert labels.label_names == ["crow", "gull", None, "crow"]
    assert labels["sample_id"].to_pylist() == [0, 1, 2, 3]


def test_numbers_are_kept():
    for data in ([0, 2, 1], np.array([0, 2, 1], np.uint8), pa.array([0, 2, 1]), np.array([0.0, 2.0, 1.0])):
        assert values(procsim.labels(data)) == [0, 2, 1]
    assert values(procsim.labels(np.array([0.0, np.nan, 1.0]))) == [0, -1, 1]


@pytest.mark.parametrize("kind", ["pandas", "polars", "duckdb", "pyarrow", "datasets", "dict"])
def test_tables_of_all_kinds(kind):
    module = None if kind == "dict" else pytest.importorskip(kind)
    columns = {"sample_id": [7, 5, 6], "label": ["b", "a", "b"], "split": ["train", "test", "train"]}
    data = {"pandas": lambda: module.DataFrame(columns), "polars": lambda: module.DataFrame(columns),
            "pyarrow": lambda: module.table(columns), "dict": lambda: columns,
            "datasets": lambda: module.Dataset.from_dict(columns),
            "duckdb": lambda: module.from_arrow(pa.table(columns))}[kind]()
    labels = procsim.labels(data)
    assert labels["sample_id"].to_pylist() == [7, 5, 6]
    assert values(labels) == [1, 0, 1]
    assert labels["split"].to_pylist() == ["train", "test", "train"]


def test_names_of_a_huggingface_feature():
    datasets = pytest.importorskip("datasets")
    features = datasets.Features({"label": datasets.ClassLabel(names=["zebra", "ant"])})
    assert procsim.labels(datasets.Dataset.from_dict({"label": [0, 1]}, features=features)).classes == ["zebra", "ant"]


def test_a_data_frames_index_numbers_the_samples():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"label": [0, 1, 1]}, index=[30, 10, 20])
    assert procsim.labels(frame)["sample_id"].to_pylist() == [30, 10, 20]
    with pytest.raises(procsim.Error, match="holds 10 twice"):
        procsim.labels(pandas.DataFrame({"label": [0, 1, 1]}, index=[10, 10, 20]))


@pytest.mark.parametrize("data, message", [
    ([], "empty"),
    (np.zeros((2, 2)), "2 dimensions"),
    ([0.5, 1.0], "row 0 holds 0.5"),
    ({"sample_id": [1, 2]}, "no column 'label'; they have sample_id"),
    ({"sample_id": ["a", "b"], "label": [0, 1]}, "must hold integers"),
    ({"label": [0, 1], "sample_id": [1, None]}, "none missing"),
    (3, "int is no table"),
    ("nowhere.parquet", "does not exist"),
])
def test_what_cannot_be_labels_is_said(data, message):
    with pytest.raises(procsim.Error, match=message):
        procsim.labels(data)


def test_labels_that_are_no_class_are_named():
    with pytest.raises(procsim.Error, match="'crwo' in row 1 is none of the 2 classes"):
        procsim.labels(["crow", "crwo"], classes=["crow", "gull"])
    with pytest.raises(procsim.Error, match="5 in row 1 is none of the 2 classes"):
        procsim.labels([0, 5], classes=["crow", "gull"])


def test_a_written_label_set_comes_back_and_is_the_programs(tmp_path):
    from conftest import program
    labels = procsim.labels({"sample_id": [3, 4], "path": ["a.jpg", "b.jpg"], "label": ["x", "y"]}, dataset="two")
    digest = labels.write(tmp_path / "two.parquet")
    again = procsim.labels(tmp_path / "two.parquet")
    assert again.classes == ["x", "y"] and again.dataset == "two" and values(again) == [0, 1]
    assert again.write(tmp_path / "again.parquet") == digest
    assert "2" in program("noise", "stats", "--labels", tmp_path / "two.parquet").stdout
