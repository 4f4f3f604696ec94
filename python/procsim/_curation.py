import html
import json
import os
import pathlib
import typing

from . import _libraries
from ._arguments import number, whole_number
from ._embeddings import ids_and_rest
from ._errors import Error, UsageError
from ._labels import Labels, _numbers, labels as as_labels
from ._progress import progress_callback
from ._scores import _labels_file, as_scores
from ._tables import as_table, call_folder, is_path
from ._taxonomy import Taxonomy


class Report:
    """How many labels are probably wrong, where, and which: a page that shows itself in a notebook.

    `html` is the page, `summary` its figures as a dict, `csv`, `markdown` and `json` the other forms of curate report.
    """

    def __init__(self, files):
        self.html = files["html"]
        self.csv, self.markdown, self.json = files["csv"], files["md"], files["json"]
        self.summary = json.loads(files["summary"])
        self.note = files.get("note", "")

    def save(self, path: os.PathLike) -> pathlib.Path:
        """The page as a file, or report.html and suspects.csv in a folder. Returns the page's path."""
        path = pathlib.Path(path)
        if path.suffix.lower() in (".html", ".htm"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.html, encoding="utf-8")
            return path
        path.mkdir(parents=True, exist_ok=True)
        (path / "suspects.csv").write_text(self.csv, encoding="utf-8")
        (path / "report.html").write_text(self.html, encoding="utf-8")
        return path / "report.html"

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:720px;border:0" '
                'sandbox="allow-scripts"></iframe>')

    def __repr__(self):
        return f"<procsim.Report: {self.summary.get('samples')} labels, {self.summary.get('suspects')} suspects>"


def report(scores, images: typing.Optional[os.PathLike] = None, path: typing.Optional[os.PathLike] = None, *,
           taxonomy=None, top: int = 500, progress=None) -> Report:
    """The suspects, ranked and explained: what `curate report` makes of a scores file.

    images: the folder that the paths of the samples are relative to, for thumbnails. path: where to save it too,
    a page (*.html) or a folder.
    """
    taxonomy = Taxonomy.of(taxonomy)
    top = whole_number("top", top, 1)
    scores = as_scores(scores)
    with call_folder() as folder, progress_callback(progress, "thumbnails") as show:
        file = folder / "scores.parquet"
        scores.write(file)
        made = Report(_libraries.core().report(str(file), scores.digest, None if taxonomy is None else taxonomy._tree,
                                               None if images is None else str(images), top, "", show))
    if path is not None:
        made.save(path)
    return made


def apply(labels, decisions=None, *, scores=None, auto: typing.Optional[float] = None, auto_action: str = "relabel",
          unresolved: str = "drop", min_agreement: int = 1, taxonomy=None, progress=None) -> Labels:
    """New labels from old ones and what reviewers decided: what `curate apply` does.

    decisions: a table of sample_id, verdict (keep, relabel, parent, none, ambiguous, skip) and where needed label
        (number or name), reviewer, node. auto: change undecided labels too, where p_mislabelled of `scores` is above.
    auto_action: relabel, drop or parent. unresolved: drop, unlabel or class.
    """
    taxonomy = Taxonomy.of(taxonomy)
    for name, value, known in (("auto_action", auto_action, ("relabel", "drop", "parent")),
                               ("unresolved", unresolved, ("drop", "unlabel", "class"))):
        if value not in known:
            raise UsageError(f"{name}='{value}': {', '.join(known)}")
    if decisions is None and auto is None:
        raise UsageError("give decisions, or auto= and scores=")
    if auto is not None and scores is None:
        raise UsageError("auto= needs scores=")
    if auto is not None:
        auto = number("auto", auto, 0, 1)
    min_agreement = whole_number("min_agreement", min_agreement, 1)
    given = as_labels(labels, taxonomy=taxonomy)
    rows = [] if decisions is None else _decisions(as_table(decisions, "decisions"), given)
    with call_folder() as folder, progress_callback(progress, "labels") as show:
        scored = None
        if auto is not None:
            scored = str(scores) if is_path(scores) else str(folder / "scores.parquet")
            if not is_path(scores):
                as_scores(scores).write(scored)
        out = folder / "reviewed.parquet"
        counts = _libraries.core().apply(str(_labels_file(labels, given, folder)), str(out), rows, scored,
                                         None if taxonomy is None else taxonomy._tree, min_agreement, auto,
                                         auto_action, unresolved, show)
        return Labels.read(out, counts=json.loads(counts), like=given)


def _decisions(table, given):
    for name in ("sample_id", "verdict"):
        if name not in table.column_names:
            raise Error(f"the decisions have no column '{name}'")
    rows = table.num_rows

    def column(name, default):
        return table.column(name).to_pylist() if name in table.column_names else [default] * rows

    new = [None] * rows
    if "label" in table.column_names:
        new = _numbers(table.column("label"), given.header["classes"], "decisions: label", missing=-1).to_pylist()
    ids, _ = ids_and_rest(table, "decisions")
    return [(int(sample), str(reviewer or "reviewer"), str(verdict), None if label is None or label < 0 else label, node or "")
            for sample, reviewer, verdict, label, node in zip(ids, column("reviewer", "reviewer"),
                                                              column("verdict", None), new, column("node", ""))]
