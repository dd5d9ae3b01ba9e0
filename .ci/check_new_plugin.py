"""Checks that a new plugin works as it is written: run with the Python of an environment that has searchkit in it.

Writes a package with `searchkit new plugin`, installs it with what its own `dev` extra names, and runs what its README
says: its tests, mypy --strict, ruff, and the example.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(sys.executable).parent
NAME = "stepping-stones"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command, show it, and end with its output where it fails."""
    print("$", *(part.name if isinstance(part, Path) else part for part in command), flush=True)
    done = subprocess.run(
        command,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nended with exit code {done.returncode}")
    return done.stdout


def main() -> None:
    """Write, install and check the package; exit with a message at the first thing that is wrong."""
    python = Path(sys.executable)
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / "plugin"
        run(BIN / "searchkit", "new", "plugin", NAME, "--full", "--dir", str(package), cwd=Path(scratch))
        pip = ("-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check")
        run(python, *pip, f"{package}[dev]", cwd=Path(scratch))
        print(run(python, "-m", "pytest", "-q", cwd=package))
        print(run(python, "-m", "mypy", cwd=package))
        run(python, "-m", "ruff", "check", cwd=package)
        run(python, "-m", "ruff", "format", "--check", cwd=package)
        solved = json.loads(run(BIN / "searchkit", "solve", NAME, "--json", cwd=Path(scratch)))
        assert solved["status"] == "solved", solved
    print("a new plugin works as it is written")


if __name__ == "__main__":
    main()
