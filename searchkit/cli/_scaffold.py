"""Writing a new plugin package from the templates that come with searchkit."""

import os
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from tempfile import TemporaryDirectory

from searchkit.basics.files import write_text
from searchkit.plugin import InvalidOptionError
from searchkit.plugin.registry import registry

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
LONGEST = 30
"""So that no line of the package gets too long."""
TEMPLATES = files("searchkit") / "templates"
ENDING = ".txt"
"""What a template's name has after that of the file it makes."""


def words_for(name: str) -> dict[str, str]:
    """Return what stands for what in the templates. Raises `InvalidOptionError` for a name that can't be used."""
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise InvalidOptionError(
            f"plugin name {name!r}: expected at most {LONGEST} small letters and digits, a letter first, words joined "
            "by - or _: jugs, sliding-tiles"
        )
    identifier = name.replace("-", "_")
    words = {
        "@NAME@": name,
        "@IDENTIFIER@": identifier,
        "@MODULE@": f"searchkit_{identifier}",
        "@DISTRIBUTION@": f"searchkit-{identifier.replace('_', '-')}",
    }
    if iskeyword(name):
        raise InvalidOptionError(f"plugin name {name!r} is a word of Python's own; choose another")
    found = registry()
    for kind, names in (
        ("plugin", {plugin.name for plugin in found.plugins}),
        (
            "kind of problem",
            {*found.problems, *(clash for kind, clash in found.clashes if kind == "problem")},
        ),
    ):
        if name in names:
            raise InvalidOptionError(
                f"plugin name {name!r}: a {kind} of this name is installed; choose another name than "
                f"{', '.join(sorted(names))}"
            )
    if find_spec(words["@MODULE@"]) is not None:
        raise InvalidOptionError(
            f"plugin name {name!r}: a module {words['@MODULE@']} is installed; choose another name"
        )
    return words


def write_package(name: str, directory: Path | None, bare: bool = False) -> tuple[Path, list[Path]]:
    """Write the package of a new plugin, whole or not at all; return where it is, and its files. Overwrites nothing.

    A `bare` one is a module and its pyproject.toml.

    Raises `InvalidOptionError` for a name or a directory that can't be used, and where it can't be written.
    """
    words = words_for(name)
    root = directory or Path(words["@DISTRIBUTION@"])
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise InvalidOptionError(
            f"{root} is there already, and nothing is overwritten; name another with --dir"
        )
    texts = {
        Path(_filled(str(place), words)): _filled(template.read_text(encoding="utf-8"), words)
        for place, template in _templates(TEMPLATES / ("bare" if bare else "plugin"), Path())
    }
    place = Path(os.path.abspath(root))  # noqa: PTH100  # unlike resolve, it follows no link
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.parent, prefix=f".{place.name[:100]}.") as new:
            package = Path(new) / "package"
            for path, text in texts.items():
                (package / path).parent.mkdir(parents=True, exist_ok=True)
                write_text(package / path, text)
            if place.is_dir():  # empty
                place.rmdir()
            package.rename(place)
    except OSError as error:
        raise InvalidOptionError(
            f"{root} can't be written: {error.strerror}; name another directory with --dir"
        ) from error
    return root, [root / path for path in texts]


def _templates(folder: Traversable, place: Path) -> list[tuple[Path, Traversable]]:
    """Return (where it goes, template) of each file under a folder, by name."""
    found = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            name = "@MODULE@" if entry.name == "package" else entry.name
            found += _templates(entry, place / name)
        elif entry.name.endswith(ENDING):
            name = entry.name.removesuffix(ENDING).replace("test_plugin", "test_@IDENTIFIER@")
            name = "@MODULE@.py" if name == "module.py" else name
            found.append((place / name, entry))
    return found


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text
