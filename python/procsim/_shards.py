"""What Ray and Spark share: noise for a table that lies in parts."""
import numpy as np
import pyarrow as pa
import pyarrow.compute

from ._errors import Error
from ._noise import inject

KEY_COLUMNS = ("sample_id", "split", "label")


class Relabelling:
    """The labels that noise changes, found once from the narrow columns of all parts, applied to each part by itself.

    What becomes of a label depends on its sample id, its label and how many labels each class has, so the parts may be
    cut in any way: together they equal what `noise inject` writes. Memory: 20 bytes a row while it is made, 12 bytes a
    changed label afterwards.
    """

    def __init__(self, keys, **noise):
        noisy = inject(keys, **noise)
        before = noisy.table.column("true_label").to_numpy()
        after = noisy.table.column("label").to_numpy()
        changed = np.flatnonzero((after != before) & ~np.isnan(before.astype(np.float64)))
        ids = noisy.sample_ids[changed]
        order = np.argsort(ids)
        self.ids, self.labels = ids[order], after[changed][order].astype(np.int32)
        self.names = noisy.classes if noisy.named else None
        self.classes = [entry["name"] for entry in noisy.header["classes"]]
        self.split = noise.get("split", "train")
        self.counts = noisy.counts

    def __call__(self, table):
        """A part with its labels changed; its former labels in true_label, where the part has none of its own."""
        for name in ("sample_id", "label"):
            if name not in table.column_names:
                raise Error(f"the table has no column '{name}'")
        ids = table.column("sample_id").to_numpy()
        column = table.column("label")
        if len(self.ids):
            at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
            hit = self.ids[at] == ids
        else:
            at, hit = np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=bool)
        if self.names is None:
            changed = pa.array(self.labels[at] if len(self.ids) else np.zeros(len(ids), np.int32)).cast(column.type)
        else:
            names = pa.array(self.names)
            changed = (names.take(pa.array(self.labels[at])) if len(self.ids) else
                       pa.nulls(len(ids), pa.string())).cast(column.type)
        labels = pa.compute.if_else(pa.array(hit), changed, column)
        truth = column
        if "split" in table.column_names:
            inside = pa.compute.equal(table.column("split").cast(pa.string()), self.split)
            truth = pa.compute.if_else(inside, column, pa.scalar(None, column.type))
        if "true_label" in table.column_names:
            own = table.column("true_label")
            place = table.column_names.index("true_label")
            table = table.set_column(place, "true_label", pa.compute.coalesce(own, truth.cast(own.type)))
        else:
            table = table.append_column("true_label", truth)
        return table.set_column(table.column_names.index("label"), "label", labels)


def all_labels(keys):
    """One table of the narrow columns, rows by sample id: the order in which parts came must not matter."""
    table = pa.concat_tables(keys) if isinstance(keys, list) else keys
    return table.take(pa.compute.sort_indices(table, [("sample_id", "ascending")]))
