import os

import numpy as np
import pyarrow as pa

from ._errors import Error
from ._tables import array_of, as_table, is_pandas, is_path, npy_file


def rows_of(embeddings, labels, wanted):
    """A float32 row for each of the labels' rows in `wanted` (a mask), not copied where they lie in that order already."""
    ids, index, matrix = _read(embeddings)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise Error(f"embeddings: shape {matrix.shape}; give a row of numbers for each sample")
    if index is not None and (ids is None or labels.index is not None):
        if labels.index is not None and not labels.index.equals(index):
            raise Error("the labels' index and the embeddings' differ: put the rows into one order, or give NumPy arrays")
        ids = None
    if ids is None:
        if len(matrix) != len(labels):
            raise Error(f"{len(labels)} labels and {len(matrix)} rows of embeddings: they must be as many, in the same "
                        "order, or both have a column sample_id")
        return _taken(matrix, None if wanted.all() else np.flatnonzero(wanted))
    return _taken(matrix, places_of(ids, labels.sample_ids[wanted], "embeddings"))


def _taken(matrix, places):
    return np.ascontiguousarray(rows_at(matrix, places), dtype=np.float32)


def rows_at(matrix, places):
    """These rows; the matrix itself where they are all of it, in order."""
    if places is None or (len(places) == len(matrix) and np.array_equal(places, np.arange(len(matrix)))):
        return matrix
    return matrix[places]


def places_of(found, wanted, what):
    """Where each wanted sample stands among those found."""
    if len(found) == len(wanted) and np.array_equal(found, wanted):
        if len(np.unique(found)) == len(found):
            return np.arange(len(found))
    order = np.argsort(found, kind="stable")
    twice = np.flatnonzero(np.diff(found[order]) == 0)
    if len(twice):
        raise Error(f"{what}: sample {found[order][twice[0]]} is there twice")
    at = np.minimum(np.searchsorted(found, wanted, sorter=order), len(found) - 1)
    places = order[at] if len(found) else np.zeros(len(wanted), int)
    missing = found[places] != wanted if len(found) else np.ones(len(wanted), bool)
    if missing.any():
        raise Error(f"the {what} lack {int(missing.sum())} of the {len(wanted)} samples of the labels, the first is "
                    f"sample {wanted[missing][0]}")
    return places


def _read(data):
    """(sample ids or None, index of a DataFrame or None, matrix)"""
    if is_path(data) and os.fspath(data).endswith(".npy"):
        return None, None, _matrix(npy_file(data))
    if hasattr(data, "detach"):
        return None, None, _matrix(array_of(data))
    if isinstance(data, np.ndarray):
        return None, None, _matrix(data)
    if isinstance(data, (list, tuple)):
        try:
            return None, None, _matrix(np.asarray(data, dtype=np.float32))
        except ValueError as error:
            raise Error(f"embeddings: {error}") from None
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        return None, None, list_matrix(data, "embeddings")
    index = data.index if is_pandas(data) and "sample_id" not in getattr(data, "columns", ()) else None
    if is_pandas(data) and not hasattr(data, "columns"):
        data = data.to_frame("embedding")
    table = as_table(data, "embeddings")
    ids, table = ids_and_rest(table, "embeddings")
    if ids is None and index is not None and index.dtype.kind in "iu":
        ids = index.to_numpy(dtype=np.int64)
    return ids, index, _table_matrix(table)


def ids_and_rest(table, what):
    """The column sample_id of a table, None where it has none, and the table without it."""
    if "sample_id" not in table.column_names:
        return None, table
    column = table.column("sample_id")
    if not pa.types.is_integer(column.type) or column.null_count:
        raise Error(f"{what}: the column sample_id must hold integers, none missing")
    return column.to_numpy().astype(np.int64, copy=False), table.drop_columns("sample_id")


def _table_matrix(table):
    lists = [name for name in table.column_names if is_list(table.column(name).type)]
    if lists:
        if len(lists) > 1 and "embedding" not in lists:
            raise Error(f"embeddings: several columns of lists ({', '.join(lists)}): call the one to use 'embedding'")
        name = "embedding" if "embedding" in lists else lists[0]
        return list_matrix(table.column(name), name)
    for name in table.column_names:
        kind = table.column(name).type
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
            raise Error(f"embeddings: column '{name}' is {kind}; give one column of lists, or columns of numbers")
    return stacked(table, table.column_names, np.float32)


def stacked(table, names, kind):
    """Columns of numbers as one matrix, each copied once."""
    matrix = np.empty((table.num_rows, len(names)), kind)
    for place, name in enumerate(names):
        matrix[:, place] = table.column(name).to_numpy()
    return matrix


def is_list(kind):
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    return pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind)


def list_matrix(column, what):
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    first, parts = 0, []
    for chunk in chunks:
        if isinstance(chunk, pa.ExtensionArray):
            chunk = chunk.storage
        parts.append(_list_matrix(chunk, what, first))
        first += len(chunk)
    parts = [part for part in parts if len(part)]
    if not parts:
        raise Error(f"{what}: no rows")
    widths = {part.shape[1] for part in parts}
    if len(widths) > 1:
        raise Error(f"{what}: lists of {min(widths)} and of {max(widths)} numbers")
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _list_matrix(chunk, what, first):
    if not is_list(chunk.type):
        raise Error(f"{what}: {chunk.type} holds no lists of numbers")
    if chunk.null_count:
        row = next(row for row, valid in enumerate(chunk.is_valid().to_pylist()) if not valid)
        raise Error(f"{what}: row {first + row} is missing")
    values = chunk.flatten()
    if values.null_count:
        raise Error(f"{what}: a number is missing")
    if not len(chunk):
        return np.empty((0, 0), np.float32)
    if not pa.types.is_fixed_size_list(chunk.type):
        lengths = np.diff(chunk.offsets.to_numpy())
        odd = np.flatnonzero(lengths != lengths[0])
        if len(odd):
            raise Error(f"{what}: row {first + odd[0]} has {lengths[odd[0]]} numbers, row {first} has {lengths[0]}")
    return _matrix(values.to_numpy(zero_copy_only=not pa.types.is_boolean(values.type)).reshape(len(chunk), -1))


def _matrix(array):
    if array.dtype.kind not in "fiu":
        raise Error(f"embeddings: {array.dtype} is no number")
    return array
