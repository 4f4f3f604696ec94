import json
import typing

from . import _libraries
from ._arguments import LARGEST_SEED, MOST_THREADS, number, whole_number
from ._errors import UsageError
from ._labels import Labels, labels as as_labels
from ._progress import progress_callback
from ._scores import _labels_file
from ._tables import call_folder
from ._taxonomy import Taxonomy


def inject(labels, *, semantic: typing.Optional[float] = None, uniform: typing.Optional[float] = None,
           pair: typing.Optional[float] = None, superclass: typing.Optional[float] = None,
           distance: typing.Optional[float] = None, matrix=None, taxonomy=None, seed: int = 1, split: str = "train",
           classes: typing.Sequence[str] = (), class_rates: typing.Optional[typing.Mapping[str, float]] = None,
           pair_map: typing.Optional[typing.Mapping[str, str]] = None, internal: str = "descend",
           temperature: float = 1.0, level: int = 1, exact: bool = False, stratify: bool = False, guards: bool = True,
           min_per_class: int = 2, threads: int = 0, progress=None) -> Labels:
    """Labels with errors of a known kind, rate and seed: the rows that `noise inject` writes.

    Rates are shares of the split's labels. Several kinds mix. semantic, superclass and distance need a taxonomy;
    matrix is the path of a table of transitions. What becomes of a label depends on its sample id, label and seed
    alone, and on how many labels each class has. `true_label` of the result is the label before. docs/noise.md.
    """
    taxonomy = Taxonomy.of(taxonomy)
    rates = {"uniform": uniform, "semantic": semantic, "pair": pair, "superclass": superclass, "distance": distance}
    components = [(name, number(name, rate, 0, 1)) for name, rate in rates.items() if rate is not None]
    if not components and matrix is None:
        raise UsageError("say which noise: semantic=, uniform=, pair=, superclass=, distance= (a rate) or matrix= (a file)")
    if internal not in ("descend", "leaves"):
        raise UsageError(f"internal='{internal}': descend or leaves")
    seed, threads = whole_number("seed", seed, 0, LARGEST_SEED), whole_number("threads", threads, 0, MOST_THREADS)
    level, min_per_class = whole_number("level", level, 1), whole_number("min_per_class", min_per_class, 0)
    temperature = number("temperature", temperature)
    given = as_labels(labels, taxonomy=taxonomy)
    core = _libraries.core()
    options = core.InjectOptions()
    options.components = components
    options.seed, options.split, options.classes = seed, split, [str(name) for name in classes]
    options.class_rates = {str(name): number(f"class_rates: {name}", rate, 0, 1) for name, rate in (class_rates or {}).items()}
    options.pair_map = {str(one): str(other) for one, other in (pair_map or {}).items()}
    options.matrix = None if matrix is None else str(matrix)
    options.internal, options.temperature, options.level = internal, temperature, level
    options.exact, options.stratify, options.guards = exact, stratify, guards
    options.min_per_class, options.threads = min_per_class, threads
    with call_folder() as folder, progress_callback(progress, "inject") as report:
        out = folder / "noisy.parquet"
        counts = core.inject(str(_labels_file(labels, given, folder)), str(out), options,
                             None if taxonomy is None else taxonomy._tree,
                             "" if taxonomy is None else taxonomy._name, report)
        return Labels.read(out, counts=json.loads(counts), like=given)
