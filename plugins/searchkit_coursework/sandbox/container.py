"""The container of a student's process: what it may read, and the command that runs it.

Where there is bubblewrap (`bwrap`), nothing but Python and the submission is bound, there is no network, and the
working directory is a tmpfs of limited size. Elsewhere the process restricts itself (`student/containment.py`).
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

import searchkit_coursework
from searchkit_coursework.student.guard import LARGEST_FILES

BWRAP = "bubblewrap"
"""The name of this protection in reports."""
SYSTEM = (
    *("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/etc/localtime"),
)
DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero", "/proc/self", "/proc/cpuinfo", "/proc/meminfo")
"""What a process may read besides, where there is no bubblewrap."""
ROOT = Path(searchkit_coursework.__file__).resolve().parent
BASE = {"base": sys.base_prefix, "platbase": sys.base_prefix}
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
GRADED = (
    *(PYTHON, "-P", "-B", "-s", "-S", "-X", "utf8", "-c"),
    f"import sys; sys.path.append({str(ROOT.parent)!r}); "
    "from searchkit_coursework.student.worker import run; sys.path.pop(); run()",
)
"""The program that runs a student's functions. Neither `site` nor the index of packages is read."""


@frozen
class Container:
    """What a process may read besides Python: the submission and the packages that it may import."""

    own: tuple[str, ...]

    def command(self, directory: str) -> list[str]:
        """Return the beginning of the command that runs a program in bubblewrap; [] where that does not work."""
        if not bwrap_works():
            return []
        roots = [str(each) for each in system() if not each.is_symlink()]
        links = [each for each in system() if each.is_symlink()]
        hidden = [each for each in _elsewhere() if _is_below(each, roots)]
        return [
            *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *(word for place in roots for word in ("--ro-bind", place, place)),
            *(word for link in links for word in ("--symlink", str(link.readlink()), str(link))),
            *(word for place in hidden for word in ("--tmpfs", place)),
            *(word for place in self._bound for word in ("--ro-bind", place, place)),
            *("--proc", "/proc", "--dev", "/dev", "--size", str(LARGEST_FILES), "--tmpfs", directory),
            *(word for place in ("/proc", "/dev", *hidden, "/") for word in ("--remount-ro", place)),
            *("--chdir", directory, "--"),
        ]

    def readable(self) -> list[str]:
        """Return what a process may read that restricts itself; [] if it is in bubblewrap."""
        if sys.platform != "linux" or bwrap_works():
            return []
        parts = [place for root in system() for place in _without(os.path.realpath(root), _elsewhere())]
        return [*parts, *self._bound, *DEVICES]

    @property
    def _bound(self) -> list[str]:
        return [str(ROOT / "__init__.py"), str(ROOT / "student"), *self.own]


def places_of(package: str) -> list[str]:
    """Return the file or folder of an installed module, and its folder of libraries. Raises `LookupError`."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin or not Path(spec.origin).exists():
        raise LookupError(f"there is no installed package {package!r}")
    place = Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)
    return [str(each) for each in (place, place.with_name(f"{package}.libs")) if each.exists()]


@cache
def bwrap_works() -> bool:
    """Whether bubblewrap is there and the system lets it make namespaces."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    tried = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


@cache
def system() -> list[Path]:
    """Return the files and folders of Python and of the system's libraries."""
    roots = [*map(Path, (*SYSTEM, *_library())), *Path(sys.base_prefix).glob("lib/*.so*"), Path(PYTHON)]
    return [root for root in roots if root.exists()]


@cache
def _elsewhere() -> list[str]:
    """Return the folders that packages are imported from, searchkit among them."""
    folders = [
        *filter(None, sys.path),
        sysconfig.get_path("purelib", vars=BASE),
        "/usr/lib/python3/dist-packages",
    ]
    found = dict.fromkeys(os.path.realpath(each) for each in folders if Path(each).is_dir())
    return [each for each in found if each.endswith("-packages") or not _is_below(each, _library())]


def _library() -> list[str]:
    paths = [sysconfig.get_path(name, vars=BASE) for name in ("stdlib", "platstdlib")]
    return list(dict.fromkeys(map(os.path.realpath, paths)))


def _is_below(place: str, folders: Iterable[str]) -> bool:
    return any(Path(place).is_relative_to(folder) for folder in folders)


def _without(root: str, hidden: Sequence[str]) -> list[str]:
    """Return the files and folders that together make up a folder without the hidden ones."""
    if root in hidden or not any(_is_below(each, [root]) for each in hidden):
        return [] if root in hidden else [root]
    return [place for child in os.scandir(root) for place in _without(child.path, hidden)]
