"""A rubric: maps, criteria and points, read from a TOML file."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import field, frozen

from searchkit.errors import InputFormatError, InvalidOptionError, SearchkitError
from searchkit.plugin import Parameter, option, parameters_of, parse_options, read_text, with_options
from searchkit_coursework.maps import Instance
from searchkit_coursework.properties import PROPERTIES, Property
from searchkit_coursework.sandbox import RunLimits


@with_options
class Criterion:
    """One criterion: a property of a function on some maps, and its points."""

    name: str = option("what students read", default="")
    function: str = option("the function in the students' file", default="")
    property: Property = option(
        "what has to hold",
        default=None,
        choices=PROPERTIES.values(),
        convert=lambda name: PROPERTIES.get(name, name),
    )
    points: float = option("what it is worth", default=None, convert=float, least=0, most=1e9)
    partial: bool = option("whether each correct map gives its share of the points", default=False)
    hint: str = option("shown to students who lose points here", default="")
    visibility: str = option(
        "when students see it, in Gradescope's words",
        default="visible",
        choices=("visible", "hidden", "after_due_date", "after_published"),
    )
    maps: tuple[Instance, ...] = field(default=())
    """The maps of its groups, without duplicates."""
    settings: Mapping[str, Any] = field(factory=dict)
    """The settings of the property, such as `factor`."""

    @cached_property
    def deciding(self) -> tuple[Instance, ...]:
        """The maps that can show whether the property holds. Raises `SearchkitError` for a faulty map or setting."""
        return tuple(
            each
            for each in self.maps
            if each.known_states and self.property.can_decide(each, **self.settings)
        )


@frozen
class Rubric:
    """A valid rubric."""

    title: str
    limits: RunLimits
    criteria: tuple[Criterion, ...]
    submissions: tuple[str, ...] = ()
    """Patterns of the submissions in a folder; if empty, all Python files in it and its folders."""

    @property
    def points(self) -> float:
        """The points of a correct submission."""
        return sum(criterion.points for criterion in self.criteria)


def read_rubric(path: str | Path) -> Rubric:
    """Read a rubric, and load its maps.

    Raises `InputFormatError`, with the path of the key, for invalid TOML, unknown and missing keys, and invalid values;
    and, with the name of the criterion, for an invalid map, and if no map can decide a criterion.
    """
    file = Path(path)
    try:
        data = tomllib.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise InputFormatError(f"can't be read as TOML: {error}", source=str(path)) from error
    said = ""
    try:
        rubric = _rubric(file, data)
        for criterion in rubric.criteria:
            said = f"criterion {criterion.name!r}: "
            if not criterion.deciding:
                raise InvalidOptionError(
                    f"none of its maps can decide {criterion.property.name!r}; it needs, for instance, a map that "
                    "can be solved"
                )
    except SearchkitError as error:
        raise InputFormatError(f"{said}{error}", source=str(path)) from error
    return rubric


def _rubric(file: Path, data: Mapping[str, Any]) -> Rubric:
    keys = ("title", "limits", "maps", "criteria", "submissions")
    parse_options("the rubric", [Parameter(key, "") for key in keys], dict.fromkeys(data, ""))
    given = {"title": file.stem, "maps": None, "criteria": None, **data}
    for key, kind, expected in (
        ("title", str, "a text"),
        ("maps", dict, "a table [maps]"),
        ("criteria", list, "tables [[criteria]]"),
    ):
        if not isinstance(given[key], kind) or not given[key]:
            raise InvalidOptionError(f"{key}: {given[key]!r}; expected {expected}")
    known: dict[Instance, Instance] = {}
    groups = {}
    for name, entries in given["maps"].items():
        read = [
            _map(f"maps.{name}[{i}]", each, file) for i, each in enumerate(_list(f"maps.{name}", entries))
        ]
        groups[name] = [known.setdefault(each, each) for each in read]
    criteria = tuple(_criterion(f"criteria[{i}]", each, groups) for i, each in enumerate(given["criteria"]))
    patterns = tuple(map(str, _list("submissions", data["submissions"]))) if "submissions" in data else ()
    if any(pattern.startswith("/") for pattern in patterns):
        raise InvalidOptionError(f"submissions: {patterns}; expected patterns such as '*/student.py'")
    limits = RunLimits(**_table("limits", parameters_of(RunLimits), data.get("limits", {})))
    return Rubric(given["title"], limits, criteria, patterns)


def _map(key: str, data: object, rubric: Path) -> Instance:
    table = dict(data) if isinstance(data, dict) else {"file": data}
    return Instance(**_table(key, parameters_of(Instance), table, "file"), folder=rubric.parent)


def _criterion(key: str, data: object, groups: Mapping[str, Sequence[Instance]]) -> Criterion:
    table = dict(data) if isinstance(data, dict) else {}
    maps: dict[Instance, None] = {}
    for group in _list(f"{key}.maps", table.pop("maps", None)):
        if group not in groups:
            raise InvalidOptionError(f"{key}.maps: {group!r} is not a group of [maps]: {', '.join(groups)}")
        maps |= dict.fromkeys(groups[group])
    chosen = PROPERTIES.get(str(table.get("property")))
    settings = chosen.settings if chosen else ()
    required = (
        "name",
        "function",
        "property",
        "points",
        *(each.name for each in settings if each.default is None),
    )
    parsed = _table(key, [*parameters_of(Criterion), *settings], table, *required)
    own = {each.name: parsed.pop(each.name) for each in settings}
    return Criterion(**parsed, maps=tuple(maps), settings=own)


def _list(key: str, value: object) -> list[Any]:
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(each, str | dict) and each for each in found):
        raise InvalidOptionError(f"{key}: {value!r}; expected a text or a list of texts")
    return found


def _table(key: str, parameters: Iterable[Parameter], table: object, *required: str) -> dict[str, Any]:
    """Return the values of a table. Raises `SearchkitError`."""
    if not isinstance(table, dict):
        raise InvalidOptionError(f"{key}: {table!r}; expected a table")
    for name in required:
        if name not in table:
            raise InvalidOptionError(f"{key}.{name} is missing")
    try:
        return parse_options(key, parameters, table)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"{key}.{error}") from error
