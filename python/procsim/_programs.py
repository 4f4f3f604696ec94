"""The four programs, as pip puts them on the PATH: this process becomes the program."""
import os
import sys

from . import _libraries
from ._errors import Error


def _become(name):
    try:
        _libraries.check_all()
    except Error as error:
        sys.exit(f"{name}: {error}")
    folder = _libraries.wordnet_folder()
    if folder:
        os.environ["WNSEARCHDIR"] = folder
    program = str(_libraries.PACKAGE / "bin" / name)
    os.execv(program, [program, *sys.argv[1:]])


def taxo():
    _become("taxo")


def noise():
    _become("noise")


def procsim_train():
    _become("procsim-train")


def curate():
    _become("curate")
