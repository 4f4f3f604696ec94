import hashlib
import json
import os
import typing
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from . import _libraries
from ._arguments import LARGEST_SEED, MOST_THREADS, whole_number
from ._embeddings import rows_of
from ._errors import Error
from ._labels import _header, labels as as_labels
from ._probabilities import probabilities_of
from ._progress import progress_callback
from ._tables import ArrowTable, as_table, call_folder, existing, is_path, read_file
from ._taxonomy import Taxonomy


class Scores(ArrowTable):
    """Which labels are wrong: a row for each that was judged, with the columns of scores/1 (docs/scores.md).

    Rank by `suspicion`; `p_mislabelled` is the probability that the label is wrong, `suggested` what it should be.
    `classes` has the names, `notes` what could not be judged as the rest was.
    """

    def __init__(self, table, *, digest="", named=False, notes=()):
        self.table = table
        self.header = _header(table, "scores")
        if self.header is None:
            raise Error("these are no scores: they lack the header of scores/1 (docs/formats.md)")
        self.digest = digest
        self.named = named
        self.notes = list(notes)

    @classmethod
    def read(cls, path: os.PathLike, **other) -> "Scores":
        """From a file that the programs or write() made."""
        with open(existing(path), "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(read_file(path), digest=digest, **other)

    @property
    def classes(self) -> "list[str]":
        return [one["name"] for one in self.header["classes"]]

    @property
    def noise_rate(self) -> "typing.Optional[dict]":
        """The estimated share of wrong labels with its 90 % interval: rate, low, high; None where nobody estimated.

        readings {low, high} and audit_decides, where they are there, say what only an audit can tell (docs/scores.md).
        """
        return (self.header.get("estimates") or {}).get("noise_rate")

    def cleanlab(self) -> pa.Table:
        """The same under cleanlab's names: sample_id, is_label_issue, label_quality, given_label, predicted_label.

        predicted_label is the class that the features alone speak for. Labels are names where names were given.
        """
        given = self.table.column("label").to_numpy()
        wrong = self.table.column("p_mislabelled").to_numpy()
        predicted = np.where(self.table.column("margin").to_numpy() > 0, self.table.column("suggested").to_numpy(), given)
        if self.named:
            names = np.asarray(self.classes, dtype=object)
            given, predicted = names[given], names[predicted]
        return pa.table({"sample_id": self.table.column("sample_id"), "is_label_issue": wrong > 0.5,
                         "label_quality": 1 - wrong, "given_label": given, "predicted_label": predicted})

    def suspects(self, top: int = 100) -> pa.Table:
        """The most suspect rows, the most suspect first, with the names of their classes."""
        order = np.lexsort((self.table.column("sample_id").to_numpy(), -self.table.column("suspicion").to_numpy()))[:top]
        rows = self.table.take(pa.array(order))
        names = pa.array(self.classes)
        rows = rows.append_column("given_name", names.take(rows.column("label").combine_chunks()))
        suggested = rows.column("suggested").to_numpy()
        return rows.append_column("suggested_name", names.take(pa.array(suggested, mask=suggested < 0)))

    def write(self, path: os.PathLike) -> None:
        """A scores file that curate reads."""
        pa.parquet.write_table(self.table, path)

    def __repr__(self):
        rate = self.noise_rate
        wrong = "" if rate is None else f", about {100 * rate['rate']:.1f} % wrong"
        return f"<procsim.Scores of {self.header['dataset']}: {len(self)} labels{wrong}>"


def as_scores(scores):
    if isinstance(scores, Scores):
        return scores
    if is_path(scores):
        return Scores.read(scores)
    return Scores(as_table(scores, "scores"))


def score(labels, embeddings, taxonomy=None, *, classes: typing.Optional[typing.Sequence[str]] = None, folds: int = 5,
          rounds: int = 4, seed: int = 1, threads: int = 0, progress=None) -> Scores:
    """Which labels are wrong, judged by embeddings of any model: what `procsim-train score --embeddings` computes.

    labels: see procsim.labels. embeddings: an array or tensor with a row for each label, or a table with a column of
        lists and a column sample_id (any order), or a file of either (.npy, .parquet). One float32 array, or one Arrow
        array of fixed-size lists, is used where it lies.
    taxonomy: the class tree as evidence; a procsim.Taxonomy or its file.
    folds, rounds, seed: of the cross-fitting. threads: 0 for one per core; no effect on the result.
    progress: True for a bar, or a callable of (done, total).

    What the program would note on stderr is a warning, and stays in `notes`.
    """
    taxonomy = Taxonomy.of(taxonomy)
    folds, rounds = whole_number("folds", folds, 2, 50), whole_number("rounds", rounds, 1, 100)
    seed, threads = whole_number("seed", seed, 0, LARGEST_SEED), whole_number("threads", threads, 0, MOST_THREADS)
    given = as_labels(labels, classes=classes, taxonomy=taxonomy)
    train = _libraries.train()
    rows = rows_of(embeddings, given, given.trains())
    with call_folder() as folder, progress_callback(progress, "scores") as report:
        file = _labels_file(labels, given, folder)
        out = folder / "scores.parquet"
        notes = train.score(str(file), rows, str(out), None if taxonomy is None else taxonomy.to_json(), folds, rounds,
                            seed, threads, report)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return Scores.read(out, named=given.named, notes=notes)


def import_scores(labels, pred_probs, *, classes: typing.Optional[typing.Sequence[str]] = None,
                  split: typing.Optional[str] = None, rivals: int = 5, progress=None) -> Scores:
    """Scores from predicted probabilities, a row for each label and a column for each class, made out of sample.

    What `curate import-scores` does, and what cleanlab takes as pred_probs. An array or tensor has the rows of the
    labels, in their order, and the classes' columns in theirs. A table says by its names what belongs to what: a column
    for each class, by name or number, in any order; a column sample_id, or the index of a DataFrame.
    """
    rivals = whole_number("rivals", rivals, 1)
    given = as_labels(labels, classes=classes)
    core = _libraries.core()
    with call_folder() as folder, progress_callback(progress, "probabilities") as report:
        if is_path(pred_probs):
            pred_probs = existing(pred_probs)
        else:
            matrix = probabilities_of(pred_probs, given, split)
            pred_probs = folder / "pred_probs.npy"
            np.save(pred_probs, matrix)
        file = _labels_file(labels, given, folder)
        out = folder / "scores.parquet"
        core.import_scores(str(pred_probs), str(file), str(out), split or "", rivals, report)
        return Scores.read(out, named=given.named)


def _labels_file(labels, given, folder):
    """The file of a label set: the caller's own where it is one."""
    if is_path(labels) and not os.fspath(labels).endswith((".csv", ".tsv")):
        if (read_schema_header(labels) or {}).get("format") == "labelset":
            return labels
    file = folder / "labels.parquet"
    given.write(file)
    return file


def read_schema_header(path):
    if os.path.isdir(path):
        return {"format": "labelset"}
    text = (pa.parquet.read_schema(path).metadata or {}).get(b"procsim")
    return json.loads(text) if text else None
