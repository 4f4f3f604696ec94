"""What `import procsim` costs, and what it says of libraries that do not fit."""
import subprocess
import sys

import pytest

import procsim
from procsim import _libraries


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_nothing_heavy_is_imported_before_it_is_needed():
    heavy = "('torch', 'pyarrow', 'numpy', 'pandas', 'procsim._core', 'procsim._train')"
    assert run(f"import procsim, sys; print([name for name in {heavy} if name in sys.modules])").strip() == "[]"


def test_taxonomies_noise_and_reports_need_no_torch():
    assert run("import procsim, sys; procsim.inject(['cat', 'dog', 'cow', 'cat', 'dog', 'cow'] * 9, uniform=0.5); "
               "print('torch' in sys.modules)").strip() == "False"


def test_every_name_can_be_found():
    for name in set(procsim.__all__) - {"nn", "ray", "spark"}:
        assert getattr(procsim, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        procsim.scroe


def test_a_library_of_another_version_is_named_with_the_way_out():
    with pytest.raises(procsim.Error, match=r"built for pyarrow 1\.2, and pyarrow \d+.* is installed: pip install 'pyarrow==1\.2"):
        _libraries.check("pyarrow", "1.2")
    with pytest.raises(procsim.Error, match="tortch is not installed"):
        _libraries.check("tortch", "1")


def test_the_version_is_the_programs():
    from conftest import program
    assert program("taxo", "--version").stdout.split()[1] == procsim.__version__


def test_a_program_says_what_does_not_fit_instead_of_starting(monkeypatch):
    from procsim import _built_for, _programs
    monkeypatch.setattr(_built_for, "TORCH", "0.9")
    with pytest.raises(SystemExit, match=r"^taxo: procsim was built for torch 0\.9, and torch .* is installed"):
        _programs.taxo()
