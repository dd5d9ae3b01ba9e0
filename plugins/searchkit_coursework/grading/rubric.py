"""A rubric: maps, criteria and points, read from a TOML file."""

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from attrs import NOTHING, field, fields, frozen

from searchkit.errors import InputFormatError
from searchkit_coursework.grading.properties import PROPERTIES, Property
from searchkit_coursework.maps import MapEntry, RefusedError, kind, number, one_of
from searchkit_coursework.sandbox.endings import RunLimits

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
"""When students see a result, in Gradescope's words."""


@frozen
class Limits(RunLimits):
    """The table `[limits]`."""

    seconds: float = field(default=5, validator=number(0, more=True))
    memory: float = field(default=512, validator=number(16))
    output: float = field(default=1000, validator=number(1))


@frozen
class Criterion:
    """One criterion: a property of a function on some maps, and its points."""

    name: str = field(validator=kind(str, "a name"))
    function: str = field(validator=kind(str, "the name of a function in the students' file"))
    property: Property
    points: float = field(validator=number(0))
    maps: tuple[str, ...]
    """Names of groups of maps."""
    partial: bool = field(default=False, validator=kind(bool, "true or false"))
    """Whether each correct map gives its share of the points; otherwise all maps have to be correct."""
    hint: str = field(default="", validator=kind(str, "a text"))
    """Shown to students who lose points here."""
    visibility: str = field(default="visible", validator=one_of(*VISIBILITIES))
    settings: Mapping[str, Any] = field(factory=dict)
    """The settings of the property, such as `factor`."""


@frozen
class Rubric:
    """A valid rubric."""

    path: Path
    title: str
    limits: Limits
    maps: Mapping[str, tuple[MapEntry, ...]]
    criteria: tuple[Criterion, ...]
    submissions: tuple[str, ...] = ()
    """Patterns of the submissions in a folder; if empty, all Python files in it and its folders."""
    packages: tuple[str, ...] = ()
    """Installed packages that a submission may import, besides the standard library."""

    @property
    def points(self) -> float:
        """The points of a correct submission."""
        return sum(criterion.points for criterion in self.criteria)

    def entries(self, criterion: Criterion) -> tuple[MapEntry, ...]:
        """Return the maps of a criterion, without duplicates."""
        groups = [entry for name in criterion.maps for entry in self.maps[name]]
        return tuple({repr(entry): entry for entry in groups}.values())


def read_rubric(path: str | Path) -> Rubric:
    """Read a rubric.

    Raises `InputFormatError`, with the path of the key, for invalid TOML, unknown and missing keys, and invalid values.
    """
    file = Path(path)
    if file.exists() and not file.is_file():
        raise InputFormatError("is not a regular file; expected a rubric in TOML", source=str(path))
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputFormatError(
            f"can't be read: {error.strerror}; expected a rubric in TOML", source=str(path)
        ) from None
    except ValueError as error:  # also for numbers with too many digits
        raise InputFormatError(f"not valid TOML: {error}", source=str(path)) from error
    except RecursionError:
        raise InputFormatError(
            "not valid TOML for a rubric: its tables or lists are nested too deep", source=str(path)
        ) from None
    return _Reader(file).rubric(data)


class _Reader:
    """Makes the objects of a rubric. Each method takes the path of the key that it reads."""

    def __init__(self, path: Path):
        self.path = path

    def rubric(self, data: Mapping[str, Any]) -> Rubric:
        self.known("", data, ("title", "limits", "maps", "criteria", "submissions", "packages"))
        maps = self.table("maps", data.get("maps"))
        groups = {name: self.group(f"maps.{name}", entries) for name, entries in maps.items()}
        criteria = data.get("criteria")
        if not isinstance(criteria, list) or not criteria:
            raise self.error("criteria", f"{criteria!r}; expected at least one table [[criteria]]")
        title = data.get("title", self.path.stem)
        if not isinstance(title, str):
            raise self.error("title", f"{title!r}; expected a text")
        read = tuple(self.criterion(f"criteria[{i}]", each, groups) for i, each in enumerate(criteria))
        names = [criterion.name for criterion in read]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise self.error(f"criteria[{i}].name", f"{name!r} is the name of another one too")
        limits: Limits = self.make("limits", Limits, self.table("limits", data.get("limits", {})))
        patterns = data.get("submissions", [])
        patterns = self.texts("submissions", [patterns] if isinstance(patterns, str) else patterns)
        packages = self.texts("packages", data.get("packages", []))
        return Rubric(self.path, title, limits, groups, read, patterns, packages)

    def texts(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self.error(key, f"{value!r}; expected a list of texts")
        return tuple(value)

    def group(self, key: str, entries: object) -> tuple[MapEntry, ...]:
        if not isinstance(entries, list) or not entries:
            raise self.error(key, f'{entries!r}; expected a list of maps, such as ["maze.txt"]')
        return tuple(self.entry(f"{key}[{i}]", entry) for i, entry in enumerate(entries))

    def entry(self, key: str, entry: object) -> MapEntry:
        if isinstance(entry, str):
            entry = {"file": entry}
        made: MapEntry = self.make(key, MapEntry, self.table(key, entry))
        return made

    def criterion(self, key: str, data: object, groups: Mapping[str, object]) -> Criterion:
        table = dict(self.table(key, data))
        name = str(table.get("property"))
        if name not in PROPERTIES:
            raise self.error(f"{key}.property", f"{name!r}; expected one of {', '.join(PROPERTIES)}")
        chosen = PROPERTIES[name]
        own = [attribute.name for attribute in fields(Criterion) if attribute.name != "settings"]
        self.known(key, table, (*own, *chosen.settings))
        settings = {}
        for setting, parameter in chosen.settings.items():
            value = table.pop(setting, parameter.default)
            fault = parameter.fault(value)
            if fault:
                raise self.error(f"{key}.{setting}", f"{value!r}; expected {fault}")
            settings[setting] = value
        maps = table.get("maps")
        maps = [maps] if isinstance(maps, str) else maps
        if not isinstance(maps, list) or not maps:
            raise self.error(f"{key}.maps", f"{maps!r}; expected one of, or a list of, {', '.join(groups)}")
        for group in maps:
            if group not in groups:
                raise self.error(
                    f"{key}.maps", f"{group!r} is not a group of [maps]; there are {', '.join(groups)}"
                )
        made: Criterion = self.make(
            key, Criterion, {**table, "property": chosen, "maps": tuple(maps), "settings": settings}
        )
        return made

    def make(self, key: str, cls: Any, table: Mapping[str, Any]) -> Any:
        names = [attribute.name for attribute in fields(cls)]
        self.known(key, table, names)
        for attribute in fields(cls):
            if attribute.default is NOTHING and attribute.name not in table:
                raise self.error(f"{key}.{attribute.name}", "is missing")
        try:
            return cls(**table)
        except RefusedError as error:
            raise self.error(f"{key}.{error.key}", str(error)) from error

    def table(self, key: str, value: object) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            missing = "is missing" if value is None else f"{value!r}"
            raise self.error(key, f"{missing}; expected a table [{key}]")
        return value

    def known(self, key: str, table: Mapping[str, Any], names: Iterable[str]) -> None:
        listing = list(names)
        for name in table:
            if name not in listing:
                close = get_close_matches(name, listing, n=1)
                hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(listing)}"
                raise self.error(f"{key}.{name}" if key else name, f"there is no such key; {hint}")

    def error(self, key: str, message: str) -> InputFormatError:
        return InputFormatError(f"{key}: {message}", source=str(self.path))
