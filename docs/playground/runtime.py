"""What the built documentation takes from package registries: Python for the browser, and the editor for code.

Nothing of it is part of the repository. `packages.txt` has name, version and checksum (SHA-512) of each package of the
npm registry: Pyodide, and the modules of CodeMirror. Wheels come from the package index in the versions that are
installed here. Downloads are kept in the user's cache directory.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

LOCKED = Path(__file__).with_name("packages.txt")
REGISTRY = "https://registry.npmjs.org"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WHEELS = ("attrs", "pluggy", "sortedcontainers")
ROOT = Path(__file__).parents[2]
IMPORTED = re.compile(r"""^((?:import|export)\b.*\bfrom )['"]([^'"]+)['"]""", re.MULTILINE)


class UnavailableError(Exception):
    """A package can't be had: no network, and nothing in the cache."""


def files_for_browsers() -> dict[str, bytes]:
    """Return the files by path: `python/…`, with wheels, and `codemirror/…`. Raises `UnavailableError`."""
    packages = dict(line.split(" ", 1) for line in LOCKED.read_text(encoding="utf-8").splitlines())
    pyodide = package("pyodide", packages.pop("pyodide"))
    found = {f"python/{name}": pyodide[name] for name in PYODIDE}
    for name, locked in packages.items():
        found[f"codemirror/{module_name(name)}"] = module(package(name, locked))
    with tempfile.TemporaryDirectory() as own:
        wanted = [f"{name}=={version(name)}" for name in WHEELS]
        run("pip", "download", "-qq", "--no-deps", "--only-binary=:all:", f"--dest={own}", *wanted)
        run("hatchling", "build", "-t", "wheel", "-d", own)
        return found | {f"python/{one.name}": one.read_bytes() for one in sorted(Path(own).glob("*.whl"))}


def package(name: str, locked: str) -> dict[str, bytes]:
    """Return the files of a package of the npm registry; it is downloaded if it is not in the cache."""
    number, checksum = locked.split()
    address = f"{REGISTRY}/{name}/-/{name.rpartition('/')[2]}-{number}.tgz"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "searchkit" / "docs"
    kept = cache / f"{name.strip('@').replace('/', '-')}-{number}.tgz"
    archive = kept.read_bytes() if kept.is_file() else b""
    if sha512(archive) != checksum:
        try:
            with urlopen(address, timeout=60) as answer:
                archive = answer.read()
        except OSError as error:
            raise UnavailableError(f"{address} can't be read: {error}") from error
        if sha512(archive) != checksum:
            raise UnavailableError(f"{address} does not have the checksum in docs/playground/packages.txt")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(archive)
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        files = ((member.name.partition("/")[2], tar.extractfile(member)) for member in tar)
        return {path: file.read() for path, file in files if file is not None}


def module_name(name: str) -> str:
    """Return the file name of a package's module."""
    return name.strip("@").replace("/", "-") + ".js"


def module(files: dict[str, bytes]) -> bytes:
    """Return a package's module with its licence; it imports the modules beside it, which need no bundler."""
    entry = json.loads(files["package.json"])["exports"]["import"].removeprefix("./")
    code = IMPORTED.sub(lambda found: f'{found[1]}"./{module_name(found[2])}"', files[entry].decode())
    return f"/*\n{files['LICENSE'].decode()}*/\n{code}".encode()


def sha512(archive: bytes) -> str:
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
