"""What the tests share: small data whose wrong labels are known."""
import subprocess

import numpy as np
import pyarrow as pa
import pytest

BIRDS = ["sparrow", "finch", "crow", "raven", "gull", "tern", "hawk", "eagle"]


def program(*words, folder=None, check=True):
    """A program of the wheel, as pip put it on the PATH."""
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)
    assert not check or done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="session")
def birds():
    """labels (every tenth wrong), true labels, embeddings: 8 classes × 40 samples around their class means."""
    random = np.random.default_rng(7)
    truth = np.repeat(np.arange(8), 40)
    means = random.normal(size=(8, 16))
    embeddings = (means[truth] + 0.35 * random.normal(size=(320, 16))).astype(np.float32)
    labels = truth.copy()
    labels[::10] = (labels[::10] + 1) % 8
    return labels, truth, embeddings


@pytest.fixture(scope="session")
def tree():
    import procsim
    return procsim.Taxonomy.build(BIRDS)


@pytest.fixture
def label_file(tmp_path, birds):
    """A label set of the birds, and its embeddings as the program reads them."""
    import procsim
    labels, truth, embeddings = birds
    table = pa.table({"sample_id": np.arange(100, 420), "path": [f"{i}.jpg" for i in range(320)],
                      "label": pa.array([BIRDS[label] for label in labels]),
                      "true_label": pa.array([BIRDS[label] for label in truth])})
    procsim.labels(table, classes=BIRDS, dataset="birds").write(tmp_path / "labels.parquet")
    lists = pa.FixedSizeListArray.from_arrays(pa.array(embeddings.ravel()), 16)
    pa.parquet.write_table(pa.table({"sample_id": np.arange(100, 420), "embedding": lists}), tmp_path / "embeddings.parquet")
    return tmp_path / "labels.parquet"
