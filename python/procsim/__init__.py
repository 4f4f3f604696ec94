"""Find and survive wrong labels.

    scores = procsim.score(labels, embeddings)      # which labels are wrong, how surely, what they should be
    procsim.report(scores)                          # shows itself in a notebook
    noisy = procsim.inject(labels, semantic=0.2, taxonomy=tree)

Tables come in as pandas, Polars, DuckDB, pyarrow, Hugging Face data sets, NumPy arrays or files, and go out as Arrow
(`__arrow_c_stream__`). Errors are procsim.Error. `procsim.nn` has the losses for a training loop of your own,
`procsim.ray` and `procsim.spark` run on clusters. Nothing heavy is imported before it is needed.
"""
import importlib
import typing

from ._errors import Error, UsageError

if typing.TYPE_CHECKING:
    from . import nn, ray, spark
    from ._curation import Report, apply, report
    from ._labels import Labels, labels
    from ._noise import inject
    from ._scores import Scores, import_scores, score
    from ._taxonomy import Taxonomy

_WHERE = {"Labels": "_labels", "labels": "_labels", "Scores": "_scores", "score": "_scores",
          "import_scores": "_scores", "inject": "_noise", "Taxonomy": "_taxonomy", "report": "_curation",
          "Report": "_curation", "apply": "_curation"}
_MODULES = ("nn", "ray", "spark")

__all__ = ["Error", "UsageError", *_WHERE, *_MODULES]


def __getattr__(name):
    if name in _WHERE:
        value = getattr(importlib.import_module(f".{_WHERE[name]}", __name__), name)
    elif name in _MODULES:
        value = importlib.import_module(f".{name}", __name__)
    elif name == "__version__":
        from ._built_for import VERSION as value
    else:
        raise AttributeError(f"module 'procsim' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__():
    return [*__all__, "__version__"]
