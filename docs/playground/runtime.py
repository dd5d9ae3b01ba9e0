"""Python for the browser, put into the built documentation: Pyodide, searchkit's wheel, and the packages that it needs.

Nothing of it is part of the repository. Pyodide comes from the npm registry, with a fixed checksum; the packages come
from the package index in the versions that are installed here. Downloads are kept in the user's cache directory.
"""

import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
CHECKSUM = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package, as the registry gives it (`npm view pyodide@VERSION dist.integrity`)."""
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("attrs", "pluggy", "sortedcontainers")
ROOT = Path(__file__).parents[2]


class UnavailableError(Exception):
    """Python for the browser can't be had: no network, and nothing in the cache."""


def python_for_browsers() -> dict[str, bytes]:
    """Return the files by name; the names of wheels end in `.whl`. Raises `UnavailableError`."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "searchkit" / "docs"
    found = pyodide(cache / f"pyodide-{VERSION}.tgz")
    with tempfile.TemporaryDirectory() as own:
        wanted = [f"{name}=={version(name)}" for name in PACKAGES]
        run("pip", "download", "-qq", "--no-deps", "--only-binary=:all:", f"--dest={own}", *wanted)
        run("hatchling", "build", "-t", "wheel", "-d", own)
        return found | {wheel.name: wheel.read_bytes() for wheel in sorted(Path(own).glob("*.whl"))}


def pyodide(kept: Path) -> dict[str, bytes]:
    """Return the files of Pyodide; the package is downloaded if it is not kept yet."""
    archive = kept.read_bytes() if kept.is_file() else b""
    if checksum(archive) != CHECKSUM:
        try:
            with urlopen(ADDRESS, timeout=60) as answer:
                archive = answer.read()
        except OSError as error:
            raise UnavailableError(f"{ADDRESS} can't be read: {error}") from error
        if checksum(archive) != CHECKSUM:
            raise UnavailableError(
                f"{ADDRESS} does not have the checksum that docs/playground/runtime.py names"
            )
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(archive)
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        members = {name: tar.extractfile(f"package/{name}") for name in PYODIDE}
        return {name: member.read() for name, member in members.items() if member is not None}


def checksum(archive: bytes) -> str:
    """Return the checksum in the form of the npm registry."""
    return base64.b64encode(hashlib.sha512(archive).digest()).decode()


def run(*command: str) -> None:
    """Run a module of this Python as a command in the checkout. Raises `UnavailableError` with its last line."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise UnavailableError(f"`{' '.join(command[:2])}` failed: {last}")
