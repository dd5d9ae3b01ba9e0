"""Python for the browser: Pyodide, searchkit and the packages that it needs, put into the built documentation.

Nothing of it is part of the repository. Pyodide comes from the npm registry and is kept in the user's cache directory;
its checksum is fixed here. The wheels of the packages come from the package index in the versions that are installed
here, and searchkit's own wheel is built from the checkout.
"""

import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

VERSION = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
CHECKSUM = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package, as the registry gives it (`npm view pyodide@VERSION dist.integrity`)."""
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("attrs", "pluggy", "sortedcontainers")
"""What `import searchkit` and the searches of the bundled problems need; the command line needs more."""
SECONDS = 60
ROOT = Path(__file__).parents[2]


class UnavailableError(Exception):
    """Python for the browser can't be had: no network, and nothing in the cache."""


def python_for_browsers() -> Iterator[tuple[str, Path | bytes]]:
    """Yield the name of each file, and the file or its content. Raises `UnavailableError` before the first.

    The names of wheels end in `.whl`; the other files are Pyodide's.
    """
    pyodide, packages = pyodide_files(), package_wheels()
    own = own_wheel()
    for name in PYODIDE:
        yield name, pyodide / name
    for wheel in packages:
        yield wheel.name, wheel
    yield own


def pyodide_files() -> Path:
    """Return the directory with the files of Pyodide; they are downloaded if it is not there yet."""
    there = cache() / f"pyodide-{VERSION}"
    if all((there / name).is_file() for name in PYODIDE):
        return there
    try:
        with urlopen(ADDRESS, timeout=SECONDS) as answer:
            archive = answer.read()
    except (URLError, OSError) as error:
        raise UnavailableError(f"{ADDRESS} can't be read: {error}") from error
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != CHECKSUM:
        raise UnavailableError(f"{ADDRESS} does not have the checksum that docs/playground/runtime.py names")
    there.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=there.parent) as scratch,
        tarfile.open(fileobj=BytesIO(archive)) as tar,
    ):
        for name in PYODIDE:
            member = tar.extractfile(f"package/{name}")
            assert member is not None, name
            (Path(scratch) / name).write_bytes(member.read())
        there.mkdir(exist_ok=True)
        for name in PYODIDE:  # whole files appear, whatever else builds the documentation now
            (Path(scratch) / name).replace(there / name)
    return there


def package_wheels() -> list[Path]:
    """Return the wheels of the packages that searchkit needs, in the versions that are installed here."""
    there = cache() / "wheels"
    wanted = {name: f"{name}-{version(name)}-" for name in PACKAGES}
    missing = [name for name, start in wanted.items() if not any(there.glob(f"{start}*.whl"))]
    if missing:
        run(
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary=:all:",
            f"--dest={there}",
            *(f"{name}=={version(name)}" for name in missing),
        )
    return [min(there.glob(f"{start}*.whl")) for start in wanted.values()]


def own_wheel() -> tuple[str, bytes]:
    """Return the name and the content of searchkit's wheel, built from the checkout."""
    with tempfile.TemporaryDirectory() as scratch:
        run("hatchling", "build", "-t", "wheel", "-d", scratch)
        [wheel] = Path(scratch).glob("*.whl")
        return wheel.name, wheel.read_bytes()


def run(*command: str) -> None:
    """Run a module of this Python as a command in the checkout. Raises `UnavailableError` with its last line."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise UnavailableError(f"`{' '.join(command[:2])}` failed: {last}")


def cache() -> Path:
    """Return the directory in which downloads are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "searchkit" / "docs"
