import json
import typing

import numpy as np
import pyarrow as pa
import pyarrow.compute

from . import _libraries
from ._errors import Error, UsageError
from ._tables import ArrowTable, array_of, as_table, is_pandas, read_file
from ._taxonomy import Taxonomy

UNLABELLED = -1
_LABEL_COLUMNS = ("label", "class", "target", "labels", "given_label")
_PATH_COLUMNS = ("path", "file", "file_name", "filename", "image")


class Labels(ArrowTable):
    """A label set: columns sample_id, path, split, label, true_label (docs/formats.md), and the names of the classes.

    `label` is a number, −1 where there is none; `classes` has the names. Made by procsim.labels, inject and apply;
    every function takes one. `counts` is what inject and apply report of their work.
    """

    def __init__(self, table, header, index=None, named=False, counts=None):
        self.header = header
        self.table = table.replace_schema_metadata({"procsim": json.dumps(header, ensure_ascii=False)})
        self.index = index  # of the DataFrame that they came from, where it is no numbering
        self.named = named  # given as names: views say names, too
        self.counts = counts or {}

    @property
    def classes(self) -> "list[str]":
        return [one["name"] for one in self.header["classes"]]

    @property
    def dataset(self) -> str:
        return self.header["dataset"]

    @property
    def sample_ids(self) -> np.ndarray:
        return self.table.column("sample_id").to_numpy()

    @property
    def label_names(self) -> "list[typing.Optional[str]]":
        """The name of every label, None where there is none."""
        names = self.classes
        return [None if label < 0 else names[label] for label in self.table.column("label").to_pylist()]

    def trains(self) -> np.ndarray:
        """Which rows are scored: labelled ones of the split `train`, or of all where no row has a split."""
        split = self.table.column("split").cast(pa.string())
        labelled = self.table.column("label").to_numpy() != UNLABELLED
        if not pa.compute.any(pa.compute.not_equal(split, "")).as_py():
            return labelled
        return labelled & pa.compute.equal(split, "train").to_numpy()

    def write(self, path) -> str:
        """A label-set file that the programs read. Returns its SHA-256."""
        text = pa.schema([("sample_id", pa.int64()), ("path", pa.string()), ("split", pa.string()),
                          ("label", pa.int32()), ("true_label", pa.int32())])
        stream = self.table.select(text.names).cast(text).to_reader(max_chunksize=65536)
        return _libraries.core().write_labels(stream.__arrow_c_stream__(), json.dumps(self.header), str(path))

    def __repr__(self):
        return f"<procsim.Labels of {self.dataset}: {len(self)} rows, {len(self.classes)} classes>"

    @classmethod
    def read(cls, path, counts=None, like=None):
        """A label set that was written by the programs or by us."""
        table = read_file(path)
        header = _header(table, "labelset")
        if header is None:
            raise Error(f"{path} is no label set")
        for name in ("label", "true_label"):  # int64 in files, int32 in memory
            table = table.set_column(table.column_names.index(name), name, table.column(name).cast(pa.int32()))
        return cls(table, header, named=like is not None and like.named, index=None if like is None else like.index,
                   counts=counts)


def labels(data, *, classes: typing.Optional[typing.Sequence[str]] = None, taxonomy=None, dataset: str = "memory",
           label: typing.Optional[str] = None) -> Labels:
    """Labels from what people have: a column of numbers or names, a table, a file, a label set.

    data: a list, array or Series of labels; or a table (pandas, Polars, DuckDB, Arrow, Hugging Face, dict, file)
        with a column of labels and, where there are, sample_id, path, split, true_label. Without sample_id the rows
        are numbered from 0, or by the integer index of a DataFrame. Without split all rows train.
    classes: names, the place is the label. By default the taxonomy's, the data's own, the sorted names, or numbers.
    label: name of the column of labels, where it is not label, class or target.
    """
    taxonomy = Taxonomy.of(taxonomy)
    if isinstance(data, Labels):
        return data
    index = _own_index(data)
    table, column = _table_and_column(data, label)
    header = _header(table, "labelset") if column == "label" else None
    given = table.column(column)
    named = pa.types.is_string(_value_type(given)) or pa.types.is_large_string(_value_type(given)) or \
        pa.types.is_string_view(_value_type(given))
    if header is None:
        names = _class_entries(table, column, given, named, classes, taxonomy)
        header = {"format": "labelset", "version": 1, "dataset": dataset, "classes": names, "provenance": {}}
    rows = table.num_rows
    if rows == 0:
        raise Error("the labels are empty")
    ids, index = _sample_ids(table, index)
    columns = {
        "sample_id": ids,
        "path": _text(table, next((name for name in _PATH_COLUMNS if name in table.column_names), None), ""),
        "split": _text(table, "split" if "split" in table.column_names else None, "train"),
        "label": _numbers(given, header["classes"], "label", missing=UNLABELLED),
        "true_label": pa.nulls(rows, pa.int32()),
    }
    if "true_label" in table.column_names:
        truth = _numbers(table.column("true_label"), header["classes"], "true_label", missing=UNLABELLED)
        columns["true_label"] = pa.array(truth.to_numpy(), mask=truth.to_numpy() == UNLABELLED)
    return Labels(pa.table(columns), header, index, named)


def _own_index(data):
    if not is_pandas(data):
        return None
    if "sample_id" in getattr(data, "columns", ()):
        return None
    return data.index


def _table_and_column(data, label):
    is_series = is_pandas(data) and not hasattr(data, "columns")
    if isinstance(data, (list, tuple, np.ndarray, pa.Array, pa.ChunkedArray)) or is_series or \
            (hasattr(data, "detach") and hasattr(data, "numpy")):
        return pa.table({"label": _column_of(data)}), "label"
    if type(data).__module__.split(".")[0] == "polars" and not hasattr(data, "columns"):
        return pa.table({"label": data.to_arrow()}), "label"
    table = as_table(data, "labels")
    if label is not None and label not in table.column_names:
        raise Error(f"the labels have no column '{label}'; they have {', '.join(table.column_names)}")
    found = label or next((name for name in _LABEL_COLUMNS if name in table.column_names), None)
    if found is None:
        raise Error(f"the labels have no column 'label'; they have {', '.join(table.column_names)}: name it with label=")
    return table, found


def _column_of(data):
    if hasattr(data, "detach"):
        data = array_of(data)
    if isinstance(data, np.ndarray) and data.ndim != 1:
        raise Error(f"labels: an array of {data.ndim} dimensions; give one label a sample")
    try:
        return pa.array(data, from_pandas=True) if not isinstance(data, pa.ChunkedArray) else data
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise Error(f"labels: {str(error).splitlines()[0]}") from None


def _value_type(column):
    return column.type.value_type if pa.types.is_dictionary(column.type) else column.type


def _header(table, format):
    text = (table.schema.metadata or {}).get(b"procsim")
    if text is None:
        return None
    header = json.loads(text)
    return header if header.get("format") == format else None


def _huggingface_names(table, column):
    text = (table.schema.metadata or {}).get(b"huggingface")
    feature = json.loads(text).get("info", {}).get("features", {}).get(column, {}) if text else {}
    return feature.get("names") if isinstance(feature, dict) else None


def _class_entries(table, column, given, named, classes, taxonomy):
    if classes is not None:
        if isinstance(classes, str) or len(set(classes)) != len(list(classes)):
            raise UsageError("classes: give a list of names, each once")
        return [{"name": str(name), "published": str(name), "node": ""} for name in classes]
    if taxonomy is not None:
        return [{"name": name, "published": published, "node": node}
                for name, published, node, _ in taxonomy._tree.classes()]
    names = _huggingface_names(table, column)
    if names is None and named:
        names = sorted({name for name in given.to_pylist() if name is not None})
    if names is None:
        numbers = _integers(given, column, UNLABELLED)
        names = [str(label) for label in range(int(numbers.max(initial=-1)) + 1)]
    return [{"name": name, "published": name, "node": ""} for name in names]


def _integers(column, what, missing):
    kind = _value_type(column)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind)):
        raise Error(f"{what}: {kind} holds neither numbers nor names of classes")
    values = column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()
    if values.dtype.kind in "iu":
        return values.astype(np.int64)
    values = np.asarray(values, dtype=np.float64)
    empty = np.isnan(values)
    wrong = np.flatnonzero(~empty & (values != np.floor(values)))
    if len(wrong):
        raise Error(f"{what}: row {wrong[0]} holds {values[wrong[0]]}, which is no label; labels are whole numbers or names")
    return np.where(empty, missing, values).astype(np.int64)


def _numbers(column, classes, what, missing):
    """Labels as int32 numbers of the classes."""
    kind = _value_type(column)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        number = {}
        for place, entry in reversed(list(enumerate(classes))):
            number[entry["published"]] = place
        for place, entry in reversed(list(enumerate(classes))):
            number[entry["name"]] = place
        found = []
        for row, name in enumerate(column.to_pylist()):
            place = missing if name is None else number.get(name)
            if place is None:
                raise Error(f"{what}: '{name}' in row {row} is none of the {len(classes)} classes")
            found.append(place)
        return pa.array(found, pa.int32())
    numbers = _integers(column, what, missing)
    wrong = np.flatnonzero((numbers < UNLABELLED) | (numbers >= len(classes)))
    if len(wrong):
        raise Error(f"{what}: {numbers[wrong[0]]} in row {wrong[0]} is none of the {len(classes)} classes (0 to {len(classes) - 1})")
    return pa.array(numbers.astype(np.int32))


def _sample_ids(table, index):
    """The ids, and the index of a DataFrame where it is no numbering."""
    rows = table.num_rows
    if "sample_id" in table.column_names:
        column = table.column("sample_id")
        if not pa.types.is_integer(column.type) or column.null_count:
            raise Error("sample_id: the column must hold integers, none missing")
        return column.cast(pa.int64()), None
    if index is not None and index.dtype.kind in "iu":
        if not index.is_unique:
            raise Error(f"the index of the labels holds {index[index.duplicated()][0]} twice: it numbers the samples. "
                        "Give a column sample_id, or reset_index(drop=True)")
        return pa.array(index.to_numpy(dtype=np.int64)), None
    return pa.array(np.arange(rows, dtype=np.int64)), index


def _text(table, name, default):
    if name is not None:
        column = table.column(name)
        kind = _value_type(column)
        if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            if column.null_count:
                column = column.cast(pa.string()).fill_null("")
            return column.cast(pa.string())
    return pa.array([default] * table.num_rows, pa.string())
