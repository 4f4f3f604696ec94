"""procsim on Ray: `inject` over a ray.data.Dataset, part by part; `score` with features gathered from the parts.

Importing this does not import Ray before it is used.
"""
import pyarrow as pa

from ._scores import score as _score
from ._shards import KEY_COLUMNS, Relabelling, all_labels


def _gathered(dataset, columns):
    import ray
    parts = [ray.get(part) for part in dataset.select_columns(columns).to_arrow_refs()]
    return pa.concat_tables([part for part in parts if part.num_rows], promote_options="permissive")


def inject(dataset, **noise):
    """procsim.inject over a Dataset with columns sample_id and label (and split, true_label where there are).

    The same rows as the single program's, whatever the partitioning; other columns stay. Only sample_id, split and
    label travel to the driver.
    """
    columns = [name for name in KEY_COLUMNS if name in dataset.schema().names]
    relabelling = Relabelling(all_labels(_gathered(dataset, columns)), **noise)
    return dataset.map_batches(relabelling, batch_format="pyarrow")


def score(dataset, taxonomy=None, *, embedding: str = "embedding", **options):
    """procsim.score of a Dataset with columns sample_id, label and a column of lists.

    The features are gathered on the driver: cross-fitting needs them side by side.
    """
    names = [name for name in (*KEY_COLUMNS, "path", "true_label") if name in dataset.schema().names]
    table = all_labels(_gathered(dataset, [*names, embedding]))
    features = table.select(["sample_id", embedding])
    return _score(table.select(names), features, taxonomy, **options)
