from typing import Callable, Optional

import numpy

def score(labels: str, rows: numpy.ndarray, out: str, taxonomy: Optional[str], folds: int, rounds: int, seed: int,
          threads: int, progress: Optional[Callable[[int, int], object]]) -> list[str]: ...
