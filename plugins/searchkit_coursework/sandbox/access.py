"""The files and modules that a student's process may read: Python, installed packages and the submission."""

import sys
import sysconfig
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path

from attrs import define

from searchkit.plugin.hookspecs import GROUP

SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/null",
    "/dev/urandom",
    "/dev/zero",
)
INSTALLED = ("site-packages", "dist-packages")
OURS = "searchkit"
"""If this module is forbidden, the plugins of searchkit are too."""


@define(slots=False)
class Access:
    """The files and modules that students' processes may use.

    Args:
        forbidden: modules that may not be imported, including their submodules.
        private: folders that may not be read, such as that of the rubric and its maps.

    """

    forbidden: tuple[str, ...] = (OURS,)
    private: tuple[Path, ...] = ()

    @cached_property
    def modules(self) -> list[str]:
        """The names of the modules that may not be imported."""
        return [*self.forbidden, *(plugin_modules() if OURS in self.forbidden else ())]

    @cached_property
    def path(self) -> list[str]:
        """The folders of `sys.path` outside the standard library that hold neither private files nor forbidden modules.

        Folders of installed packages are kept; in these, the forbidden modules themselves are hidden.
        """
        kept = []
        for folder in map(Path, dict.fromkeys(entry for entry in sys.path if entry)):
            place = folder.resolve()
            private = any(other.is_relative_to(place) for other in self._private)
            hides = any(hidden.parent == place for hidden in self._hidden)
            if (
                place.is_dir()
                and place not in _library()
                and (folder.name in INSTALLED or not (private or hides))
            ):
                kept.append(str(place))
        return kept

    @cached_property
    def readable(self) -> list[str]:
        """Every file and folder that may be read, except for the submission."""
        roots = [*map(Path, SYSTEM), *_library(), *map(Path, self.path), Path(sys.base_prefix) / "lib"]
        found = [place for root in dict.fromkeys(roots) for place in _without(root.resolve(), self._hidden)]
        return [str(place) for place in dict.fromkeys(found)]

    def of(self, file: Path, others: Iterable[Path] = ()) -> tuple[list[str], bool]:
        """Return what a submission may read of its own, and whether that is its whole folder.

        It is the whole folder if that contains nothing private and none of the `others`.
        """
        folder = file.parent
        own = not any(other.is_relative_to(folder) for other in (*self._private, *others) if other != file)
        return [str(folder if own else file)], own

    @cached_property
    def _private(self) -> Sequence[Path]:
        return [place.resolve() for place in self.private]

    @cached_property
    def _hidden(self) -> Sequence[Path]:
        """The places of the forbidden modules that are not in the standard library."""
        found = []
        for name in self.modules:
            top = name.partition(".")[0]
            if top in sys.stdlib_module_names or top != name:
                continue  # forbidden submodules of an allowed package are refused by the import only
            for folder in map(Path, sys.path):
                found += [
                    place.resolve() for place in (folder / name, folder / f"{name}.py") if place.exists()
                ]
        return list(dict.fromkeys(found))


def plugin_modules() -> list[str]:
    """Return the top-level modules of searchkit's plugins."""
    names = (point.module.partition(".")[0] for point in entry_points(group=GROUP))
    return sorted(set(names))


def _library() -> list[Path]:
    """Return the folders of the standard library."""
    return [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]


def _without(root: Path, hidden: Sequence[Path]) -> list[Path]:
    """Return the files and folders that together make up a folder without the hidden ones."""
    inside = [place for place in hidden if place.is_relative_to(root)]
    if not inside:
        return [root]
    if root in inside:
        return []
    try:
        return [place for child in root.iterdir() for place in _without(child, inside)]
    except OSError:
        return []
