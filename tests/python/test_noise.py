import pyarrow as pa
import pytest

import procsim
from conftest import BIRDS, program


def rows(table):
    names = ["sample_id", "path", "split", "label", "true_label"]
    return table.select(names).cast(pa.schema([("sample_id", pa.int64()), ("path", pa.string()), ("split", pa.string()),
                                               ("label", pa.int32()), ("true_label", pa.int32())])).to_pylist()


@pytest.mark.parametrize("words", [{"semantic": 0.2}, {"uniform": 0.3, "seed": 9}, {"uniform": 0.3, "exact": True},
                                   {"superclass": 0.2}, {"distance": 0.2, "temperature": 2.0}, {"pair": 0.25}])
def test_the_same_rows_as_the_program_writes(words, label_file, tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    flags = [word for name, value in words.items()
             for word in ([f"--{name}"] if value is True else [f"--{name}", str(value)])]
    program("noise", "inject", *flags, "--labels", label_file, "--taxonomy", tmp_path / "tree.json",
            "-o", tmp_path / "noisy.parquet")
    written = pa.parquet.read_table(tmp_path / "noisy.parquet")
    from_file = procsim.inject(label_file, taxonomy=tmp_path / "tree.json", **words)
    assert rows(from_file.table) == rows(written)
    before = pa.parquet.read_table(label_file)["label"].to_pylist()
    assert from_file.counts["changed"] == sum(row["label"] != label for row, label in zip(rows(written), before)) > 0
    in_memory = procsim.inject(pa.table({name: procsim.labels(label_file)[name] for name in ("sample_id", "path", "label",
                                                                                         "true_label")}),
                               taxonomy=tree, **words)
    assert rows(in_memory.table) == rows(written)


def test_names_stay_names_and_the_caller_s_data_stays_as_it_is(tree):
    given = [BIRDS[i % 8] for i in range(800)]
    before = list(given)
    noisy = procsim.inject(given, semantic=0.5, taxonomy=tree, seed=3)
    assert given == before
    changed = [(old, new) for old, new in zip(given, noisy.label_names) if old != new]
    assert 300 < len(changed) < 500 and noisy.counts["changed"] == len(changed)
    assert all(new in tree.siblings(old) for old, new in changed)
    assert noisy.label_names == procsim.inject(given, semantic=0.5, taxonomy=tree, seed=3).label_names
    assert noisy.label_names != procsim.inject(given, semantic=0.5, taxonomy=tree, seed=4).label_names


def test_a_second_injection_draws_anew():
    given = procsim.labels([i % 5 for i in range(500)])
    once = procsim.inject(given, uniform=0.2)
    twice = procsim.inject(once, uniform=0.2)
    assert twice.counts["changed"] > 0
    assert twice["true_label"].to_pylist() == given["label"].to_pylist()


def test_what_cannot_be_drawn_is_said(tree):
    with pytest.raises(procsim.UsageError, match="say which noise"):
        procsim.inject(["a", "b"])
    with pytest.raises(procsim.Error, match="needs a taxonomy"):
        procsim.inject(["a", "b"] * 10, semantic=0.2)
    with pytest.raises(procsim.Error, match="'a' in row 0"):
        procsim.inject(["a", "b"] * 10, semantic=0.2, taxonomy=tree)
    with pytest.raises(procsim.Error, match="uniform"):
        procsim.inject(["a", "b"] * 10, uniform=1.2)
    with pytest.raises(procsim.Error, match="labels.parquet has no split 'train'; it has test"):
        procsim.inject({"label": [0, 1], "split": ["test", "test"]}, uniform=0.2)
