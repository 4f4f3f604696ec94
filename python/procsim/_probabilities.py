import numpy as np
import pyarrow as pa

from ._embeddings import ids_and_rest, is_list, list_matrix, places_of, rows_at, stacked
from ._errors import Error
from ._labels import UNLABELLED
from ._tables import array_of, as_table, is_pandas

_WHAT = "pred_probs"


def probabilities_of(pred_probs, labels, split):
    """A row for each labelled sample of the split (None: of all), a column for each class, in the labels' order."""
    ids, index, matrix = _read(pred_probs, labels)
    if matrix.ndim != 2 or matrix.shape[1] != len(labels.classes):
        raise Error(f"{_WHAT}: shape {matrix.shape} for {len(labels)} labels of {len(labels.classes)} classes")
    if matrix.dtype.kind not in "fiub":
        raise Error(f"{_WHAT}: {matrix.dtype} is no number")
    wanted = labels.table.column("label").to_numpy() != UNLABELLED
    if split:
        wanted &= np.asarray(labels.table.column("split").cast(pa.string()).to_pylist(), dtype=object) == split
    if index is not None and (ids is None or labels.index is not None):
        if labels.index is None or not labels.index.equals(index):
            raise Error(f"the labels' index and that of {_WHAT} differ: put the rows into one order, or give NumPy arrays")
        ids = None
    if ids is not None:
        matrix = rows_at(matrix, places_of(ids, labels.sample_ids[wanted], _WHAT))
    elif len(matrix) == len(labels) and not wanted.all():
        matrix = matrix[wanted]
    return np.ascontiguousarray(matrix, dtype=matrix.dtype if matrix.dtype in (np.float32, np.float64) else np.float64)


def _read(data, labels):
    """(sample ids or None, index of a DataFrame or None, matrix in the order of the classes)"""
    if hasattr(data, "detach"):
        return None, None, array_of(data)
    if isinstance(data, np.ndarray):
        return None, None, data
    if isinstance(data, (list, tuple)):
        try:
            return None, None, np.asarray(data, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise Error(f"{_WHAT}: {str(error).splitlines()[0]}") from None
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        return None, None, list_matrix(data, _WHAT)
    index = None
    if is_pandas(data):
        if not hasattr(data, "columns"):
            data = data.to_frame("probabilities")
        index = None if "sample_id" in data.columns else data.index
        numbers = [name for name in data.columns if isinstance(name, (int, np.integer))]
        if numbers:  # of the classes, whatever those are called
            data = data.rename(columns={name: f"p{name}" for name in numbers})
    ids, table = ids_and_rest(as_table(data, _WHAT), _WHAT)
    if ids is None and index is not None and index.dtype.kind in "iu":
        ids = index.to_numpy(dtype=np.int64)
    lists = [name for name in table.column_names if is_list(table.column(name).type)]
    if len(lists) == 1:
        return ids, index, list_matrix(table.column(lists[0]), _WHAT)
    return ids, index, _by_class(table, labels.header["classes"])


def _by_class(table, classes):
    """A column for each class, under any of the names that it goes by."""
    names = []
    for label, entry in enumerate(classes):
        known = [entry["name"], entry["published"], str(label), f"p{label}", f"p_{label}"]
        found = next((name for name in known if name in table.column_names), None)
        if found is None:
            raise Error(f"{_WHAT}: no column for class {label} ('{entry['name']}'); name it so, or p{label}")
        names.append(found)
    if len(set(names)) != len(names):
        raise Error(f"{_WHAT}: a column stands for two classes")
    if other := [name for name in table.column_names if name not in names]:
        raise Error(f"{_WHAT}: column '{other[0]}' is none of the {len(classes)} classes")
    for name in names:
        kind = table.column(name).type
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
            raise Error(f"{_WHAT}: column '{name}' is {kind}, not numbers")
    narrow = all(table.column(name).type == pa.float32() for name in names)
    return stacked(table, names, np.float32 if narrow else np.float64)
