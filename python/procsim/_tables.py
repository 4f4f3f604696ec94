"""Whatever people keep tables in, as Arrow; and files for the time of a call."""
import contextlib
import os
import pathlib
import shutil
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from ._errors import Error


def is_pandas(data):
    return type(data).__module__.split(".")[0] == "pandas"


def is_path(data):
    return isinstance(data, (str, os.PathLike))


def existing(path):
    path = pathlib.Path(path)
    if not path.exists():
        raise Error(f"{path} does not exist")
    return path


def array_of(tensor):
    """A torch tensor as a NumPy array, where it lies if NumPy has its type; bfloat16 becomes float32."""
    tensor = tensor.detach().cpu()
    return (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()


def npy_file(path):
    """An array of a file, mapped."""
    try:
        return np.load(existing(path), mmap_mode="r")
    except (ValueError, OSError, EOFError) as error:
        raise Error(f"cannot read {path}: {str(error).splitlines()[0]}") from None


def read_file(path):
    path = existing(path)
    try:
        if path.suffix.lower() in (".csv", ".tsv"):
            from pyarrow import csv
            options = csv.ParseOptions(delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
            return csv.read_csv(path, parse_options=options)
        return pyarrow.parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise Error(f"cannot read {path}: {str(error).splitlines()[0]}") from None


def as_table(data, what):
    """A pyarrow.Table of `data`; `what` names it in errors."""
    if isinstance(data, pa.Table):
        return data
    if is_path(data):
        return read_file(data)
    try:
        if is_pandas(data):
            return pa.Table.from_pandas(data, preserve_index=False)
        if hasattr(data, "with_format") and hasattr(data, "features"):  # Hugging Face
            table = data.with_format("arrow")[:]
            return table.replace_schema_metadata(data.features.arrow_schema.metadata)
        if hasattr(data, "__arrow_c_stream__"):
            return pa.table(data)
        if hasattr(data, "__arrow_c_array__"):
            return pa.table(pa.record_batch(data))
        if hasattr(data, "to_arrow_table"):  # DuckDB
            return data.to_arrow_table()
        if isinstance(data, dict):
            return pa.table(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise Error(f"{what}: {str(error).splitlines()[0]}") from None
    raise Error(f"{what}: {type(data).__name__} is no table; give a DataFrame, an Arrow table, a dict of columns or a file")


@contextlib.contextmanager
def call_folder():
    """A folder for the label and score columns of one call. Errors speak of its files by their names alone."""
    folder = tempfile.mkdtemp(prefix="procsim-")
    try:
        yield pathlib.Path(folder)
    except Error as error:
        raise type(error)(str(error).replace(f"{folder}{os.sep}", "")) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ArrowTable:
    """A result: an Arrow table that anything which speaks Arrow's C stream interface can take."""

    table: pa.Table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self):
        return self.table.num_rows

    def __getitem__(self, column):
        return self.table.column(column)

    @property
    def columns(self):
        return self.table.column_names

    def to_arrow(self):
        return self.table

    def to_pandas(self):
        return self.table.to_pandas()

    def to_polars(self):
        import polars
        return polars.from_arrow(self.table)
