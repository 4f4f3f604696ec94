"""Noise for a table in parts, as procsim.ray and procsim.spark apply it; tests/python/clusters runs those."""
import numpy as np
import pyarrow as pa
import pytest

import procsim
from procsim._shards import KEY_COLUMNS, Relabelling, all_labels

COLUMNS = ["sample_id", "split", "label", "true_label"]


@pytest.fixture(params=["numbers", "names", "with truth"])
def table(request):
    rows = np.random.default_rng(3).permutation(600)
    labels = [f"class {row % 6}" for row in rows] if request.param == "names" else list(rows % 6)
    columns = {"sample_id": rows, "label": labels, "split": np.where(rows < 500, "train", "test"), "other": rows * 2}
    if request.param == "with truth":
        columns["true_label"] = pa.array([None if row % 2 else row % 5 for row in rows], pa.int64())
    return pa.table(columns)


@pytest.mark.parametrize("noise", [{"uniform": 0.3, "seed": 5}, {"uniform": 0.3, "exact": True},
                                   {"pair": 0.9, "min_per_class": 40}, {"uniform": 0.0}])
@pytest.mark.parametrize("size", [600, 100, 7])
def test_the_parts_together_are_the_whole(table, noise, size):
    whole = procsim.inject(table, **noise)
    names = whole.classes
    wanted = [tuple(row[name] for name in COLUMNS) for row in whole.table.to_pylist()]
    if whole.named:
        wanted = [(*row[:2], *(None if label is None else names[label] for label in row[2:])) for row in wanted]
    parts = [table.slice(first, size) for first in range(0, 600, size)]
    relabelling = Relabelling(all_labels([part.select(KEY_COLUMNS) for part in reversed(parts)]), **noise)
    made = pa.concat_tables([relabelling(part) for part in parts])
    assert [tuple(row[name] for name in COLUMNS) for row in made.to_pylist()] == wanted
    assert made["other"].to_pylist() == table["other"].to_pylist()
    assert relabelling.counts["changed"] == whole.counts["changed"]


def test_a_part_without_ids_is_refused(table):
    with pytest.raises(procsim.Error, match="no column 'sample_id'"):
        Relabelling(table.select(KEY_COLUMNS), uniform=0.1)(table.drop_columns("sample_id"))
