"""The extension modules, and whether the libraries that they were linked against are the ones installed."""
import functools
import importlib
import importlib.metadata
import os
import pathlib

from ._errors import Error

PACKAGE = pathlib.Path(__file__).parent


def check(name, wanted):
    """Raises Error unless the installed version of `name` begins with `wanted`, such as "2.13"."""
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found = None
    if found is None or f"{found}.".startswith(f"{wanted}.") is False:
        there = f"{name} {found} is installed" if found else f"{name} is not installed"
        raise Error(f"procsim was built for {name} {wanted}, and {there}: pip install '{name}=={wanted}.*', or build "
                    "procsim for the other version (pip install . in its sources)")


def check_all():
    from . import _built_for
    check("pyarrow", _built_for.PYARROW)
    check("torch", _built_for.TORCH)


@functools.cache
def core():
    """procsim._core, without torch."""
    from . import _built_for
    check("pyarrow", _built_for.PYARROW)
    import pyarrow  # noqa: F401  loads the library that _core needs
    return importlib.import_module("procsim._core")


@functools.cache
def train():
    """procsim._train and the operators torch.ops.procsim.*"""
    check_all()
    import pyarrow  # noqa: F401
    import torch  # noqa: F401  loads the libraries that _train needs, those of a GPU too
    return importlib.import_module("procsim._train")


def wordnet_folder():
    """WordNet's dictionary in the package, unless the environment names another; None where there is neither."""
    if os.environ.get("WNSEARCHDIR") or os.environ.get("WNHOME"):
        return None
    folder = PACKAGE / "wordnet"
    return str(folder) if (folder / "index.noun").exists() else None
