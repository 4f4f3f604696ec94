"""Noise and scores over real Ray and Spark, cut in several ways, against the single process."""
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest

import procsim


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(3)
    truth = np.arange(600) % 6
    rows = random.permutation(600)
    embeddings = (np.eye(6)[truth] + 0.2 * random.normal(size=(600, 6))).astype(np.float32)
    return pa.table({"sample_id": rows, "label": truth[rows], "split": np.where(rows < 500, "train", "test"),
                     "embedding": [embeddings[row].tolist() for row in rows]})


NOISE = [{"uniform": 0.3, "seed": 5}, {"uniform": 0.3, "exact": True}, {"pair": 0.9, "min_per_class": 40}]


def wanted(table, **noise):
    noisy = procsim.inject(table, **noise)
    return sorted(zip(*(noisy[name].to_pylist() for name in ("sample_id", "label", "true_label"))))


def found(rows):
    return sorted((row["sample_id"], row["label"], row["true_label"]) for row in rows)


def test_ray(table):
    import ray.data
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        for parts in (1, 3, 7):
            dataset = ray.data.from_arrow(table).repartition(parts)
            for noise in NOISE:
                assert found(procsim.ray.inject(dataset, **noise).take_all()) == wanted(table, **noise), (parts, noise)
        ordered = table.take(pa.compute.sort_indices(table, [("sample_id", "ascending")]))
        alone = procsim.score(ordered.drop_columns("embedding"), ordered.select(["sample_id", "embedding"]))
        assert procsim.ray.score(dataset).table.equals(alone.table)
    finally:
        ray.shutdown()


def test_spark(table):
    from pyspark.sql import SparkSession
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        for parts in (1, 3, 7):
            frame = session.createDataFrame(table.to_pandas()).repartition(parts)
            for noise in NOISE:
                assert found(procsim.spark.inject(frame, **noise).collect()) == wanted(table, **noise), (parts, noise)
        ordered = table.take(pa.compute.sort_indices(table, [("sample_id", "ascending")]))
        alone = procsim.score(ordered.drop_columns("embedding"), ordered.select(["sample_id", "embedding"]))
        assert procsim.spark.score(frame).table.equals(alone.table)
    finally:
        session.stop()
