"""The environments of other libraries: one folder each, made by `--install`."""

import subprocess
import sys
from pathlib import Path

from benchmarks.peers import FOLDER

DEFAULT = Path(__file__).parent.parent.parent / ".benchmarks"
"""Where the environments are, unless somebody says otherwise: in the checkout, and ignored by git."""
STAMP = "requirements.txt"
"""The copy, in an environment, of what was installed there."""


def requirements(peer: str) -> str:
    """Return what a library needs, as `pip` reads it."""
    return (FOLDER / f"{peer}.txt").read_text(encoding="utf-8")


def python(peer: str, folder: Path) -> Path | None:
    """Return the Python of a library's environment; None where it is not installed, or not as it is listed now."""
    home = folder / peer
    stamp = home / STAMP
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != requirements(peer):
        return None
    return home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(peer: str, folder: Path) -> str:
    """Make the environment of a library again; return what went wrong, "" if nothing did."""
    home = folder / peer
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(home)],
        [
            str(home / ("Scripts" if sys.platform == "win32" else "bin") / "python"),
            *("-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("-r", str(FOLDER / f"{peer}.txt")),
        ],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            return lines[-1] if lines else f"{step[0]} ended with exit code {done.returncode}"
    (home / STAMP).write_text(requirements(peer), encoding="utf-8")
    return ""
