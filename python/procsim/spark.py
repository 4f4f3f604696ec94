"""procsim on Spark: `inject` over a DataFrame by mapInArrow; `score` with features gathered from the partitions.

Importing this does not import Spark before it is used.
"""
import pyarrow as pa

from ._scores import score as _score
from ._shards import KEY_COLUMNS, Relabelling, all_labels


def inject(frame, **noise):
    """procsim.inject over a DataFrame with columns sample_id and label (and split, true_label where there are).

    The same rows as the single program's, whatever the partitioning; other columns stay. Only sample_id, split and
    label travel to the driver.
    """
    from pyspark.sql.types import StructField, StructType
    columns = [name for name in KEY_COLUMNS if name in frame.columns]
    relabelling = Relabelling(all_labels(frame.select(columns).toArrow()), **noise)
    fields = list(frame.schema.fields)
    if "true_label" not in frame.columns:
        fields.append(StructField("true_label", frame.schema["label"].dataType, True))

    def relabelled(batches):
        for batch in batches:
            yield from relabelling(pa.Table.from_batches([batch])).to_batches()

    return frame.mapInArrow(relabelled, StructType(fields))


def score(frame, taxonomy=None, *, embedding: str = "embedding", **options):
    """procsim.score of a DataFrame with columns sample_id, label and a column of lists.

    The features are gathered on the driver: cross-fitting needs them side by side.
    """
    names = [name for name in (*KEY_COLUMNS, "path", "true_label") if name in frame.columns]
    table = all_labels(frame.select(*names, embedding).toArrow())
    return _score(table.select(names), table.select(["sample_id", embedding]), taxonomy, **options)
