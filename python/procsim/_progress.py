import contextlib

from ._errors import UsageError


@contextlib.contextmanager
def progress_callback(progress, title):
    """A callable of (done, total) from what callers give: None, True for a bar of tqdm, or a callable."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        from tqdm.auto import tqdm
        with tqdm(desc=title, total=0, leave=False) as bar:
            def show(done, total):
                bar.total = total
                bar.update(done - bar.n)
            yield show
    elif callable(progress):
        yield progress
    else:
        raise UsageError("progress: give True for a bar, or a callable of (done, total)")
