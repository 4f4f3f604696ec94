"""Ctrl-C in every call that may take long: it ends with KeyboardInterrupt and leaves nothing behind."""
import os
import signal
import subprocess
import sys

import pytest

CHILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start what runs in the background without it
import numpy, procsim
{before}
def progress(done, total):
    print(done, total, flush=True)
print("begin", flush=True)
try:
    {call}
except KeyboardInterrupt:
    sys.exit(42)
"""

CALLS = {
    "build": ("names = [f'xq{i} sparrow' for i in range(200000)]", "procsim.Taxonomy.build(names, progress=progress)"),
    "inject": ("labels = procsim.labels(numpy.arange(3000000) % 50)",
               "procsim.inject(labels, uniform=0.3, exact=True, progress=progress)"),
    "apply": ("labels = procsim.labels(numpy.arange(3000000) % 50)",
              "procsim.apply(labels, {'sample_id': [3], 'verdict': ['none']}, progress=progress)"),
    "import_scores": ("random = numpy.random.default_rng(1); beliefs = random.dirichlet(numpy.ones(20), 200000)",
                      "procsim.import_scores(random.integers(0, 20, 200000), beliefs, progress=progress)"),
    "score": ("random = numpy.random.default_rng(1); rows = random.normal(size=(20000, 64)).astype('float32')",
              "procsim.score(random.integers(0, 50, 20000), rows, rounds=100, progress=progress)"),
    "report": ("from PIL import Image; Image.effect_noise((1200, 1200), 60).save('one.jpg'); "
               "random = numpy.random.default_rng(1); "
               "scores = procsim.score({'label': numpy.arange(3000) % 3, 'path': ['one.jpg'] * 3000}, "
               "random.normal(size=(3000, 8)))",
               "procsim.report(scores, images='.', top=3000, progress=progress)"),
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_it(name, tmp_path):
    before, call = CALLS[name]
    (tmp_path / "temporary").mkdir()
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", CHILD.format(before=before, call=call)], cwd=tmp_path,
                               env={**os.environ, "TMPDIR": str(tmp_path / "temporary")}, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begin\n"
    for line in process.stdout:
        done, total = map(int, line.split())
        if done < total:
            break
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 42
    process.stdout.close()
    assert os.listdir(tmp_path / "temporary") == []
