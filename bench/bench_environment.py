"""The Python environment of the benchmarks, build/bench-env: a system's Python has none of what they import."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "build/bench-env"


def bench_python(requirements):
    """Its interpreter, with scripts/<requirements> installed; made at the first run."""
    python = ENVIRONMENT / "bin/python"
    wanted = ROOT / "scripts" / requirements
    stamp = ENVIRONMENT / f".{requirements}"  # what was installed: a change of the file, or half an install, starts again
    if not stamp.exists() or stamp.read_text() != wanted.read_text():
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", wanted], check=True)
        stamp.write_text(wanted.read_text())
    return python


def enter_environment(requirements):
    """Runs the calling script again inside it."""
    python = bench_python(requirements)
    if Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        os.execv(python, [python, *sys.argv])
