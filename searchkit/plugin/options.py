"""Options: of engines and generators as `Parameter`, and of problems as fields of their class, each declared once.

    @with_options
    class Hanoi(SearchProblem[State, Move]):
        \"\"\"The tower of Hanoi.\"\"\"

        discs: int = option("the number of discs", default=4, least=1, most=30)

The arguments of the constructor, conversion and checks, `--set`, `repr`, equality, pickling, the written form and the
lists of options all follow from the fields.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from operator import index
from typing import Any, Literal, TypeVar, dataclass_transform

import attrs
from attrs import field, frozen

from searchkit.errors import InvalidOptionError, UnknownNameError, shortened, unknown

Class = TypeVar("Class", bound=type)
PARAMETER = "searchkit"
"""The key of a field's metadata with its `Parameter`."""


def boolean(value: object) -> bool:
    """Return the truth value of a text: true/false, yes/no, on/off or 1/0. Raises ValueError for other texts."""
    word = str(value).lower()
    if word in ("true", "yes", "on", "1"):
        return True
    if word in ("false", "no", "off", "0"):
        return False
    raise ValueError("expected true or false")


def whole(value: Any) -> int:
    """Return a whole number. Raises ValueError for other texts, and TypeError for other values such as 2.5."""
    return int(value) if isinstance(value, str) else index(value)


CONVERT: Mapping[Any, Callable[[Any], Any]] = {bool: boolean, int: whole, float: float, Fraction: Fraction}
"""Type of a default → function that makes such a value. A tuple is made of values of the type of its first."""
EXPECTED = {
    str: "a text",
    boolean: "true or false",
    whole: "a whole number",
    float: "a number",
    Fraction: "a number",
}


@frozen
class Parameter:
    """An option of an engine, a problem or a generator: `--set name=value`, or `name=value` in Python."""

    name: str
    help: str
    default: Any = None
    convert: Callable[[Any], Any] | None = None
    """Makes the value from a string or from what Python code passed, and returns what it made unchanged. Raises
    ValueError, with what was expected, for an invalid one. None makes values of the type of the default; a type such as
    int may be given if the default is None."""
    choices: tuple[Any, ...] = ()
    """The allowed values; empty if all are allowed."""
    file: bool = False
    """Whether the value names a file. A file named in a certificate has to be in the folder of the problem's file."""
    least: float | None = None
    """The least number that is allowed; in a tuple, the least that each may be."""
    most: float | None = None
    """The largest number that is allowed."""

    @property
    def _listed(self) -> bool:
        """Whether the values are tuples of values of one type."""
        return self.convert is None and isinstance(self.default, tuple) and len(self.default) > 0

    @property
    def _make(self) -> Callable[[Any], Any]:
        """What makes a value, or each value of a tuple."""
        made = self.convert or type(self.default[0] if self._listed else self.default)
        return CONVERT.get(made, self.convert or str)

    @property
    def range(self) -> str:
        """The numbers that are allowed: `from 1 to 30`, `at least 1`; "" for all."""
        if self.least is None:
            return "" if self.most is None else f"at most {self.most}"
        return f"at least {self.least}" if self.most is None else f"from {self.least} to {self.most}"

    @property
    def expected(self) -> str:
        """What a value has to be: `a whole number from 1 to 30`."""
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        kind = EXPECTED.get(self._make, "a number")
        if self._listed:
            kind = f"{kind.partition(' ')[2]}s"
        comma = "," if (self.least is None) != (self.most is None) else ""
        example = f", such as {','.join(map(str, self.default))}" if self._listed else ""
        return f"{kind}{comma} {self.range}".strip() + example

    def parse(self, value: object) -> Any:
        """Return the converted value. Raises `InvalidOptionError`."""
        try:
            if self._listed:
                parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
                parsed = tuple(map(self._make, parts))  # type: ignore[call-overload]  # raises if not iterable
            else:
                parsed = self._make(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            own = not self.choices and self._make not in EXPECTED
            raise self._invalid(value, own and str(error)) from error
        if self.choices and parsed not in self.choices:
            close = unknown("", value, map(str, self.choices), f"expected {self.expected}").lstrip(":; ")
            raise self._invalid(value, close)
        numbers = parsed if isinstance(parsed, tuple) else (parsed,)
        too_small = self.least is not None and not all(number >= self.least for number in numbers)
        too_large = self.most is not None and not all(number <= self.most for number in numbers)
        if too_small or too_large or (self._listed and not parsed):
            raise self._invalid(value)
        return parsed

    def _invalid(self, value: object, reason: str | Literal[False] = False) -> InvalidOptionError:
        shown = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
        reason = reason or f"expected {self.expected}"
        return InvalidOptionError(f"{self.name}={shortened(shown, 80)}: {reason}; {self.name} is {self.help}")


LIMITS = ("expansions", "seconds", "memory", "timeout", "cost")


def parse_options(
    owner: str, parameters: Iterable[Parameter], options: Mapping[str, object]
) -> dict[str, Any]:
    """Return name → converted value of the options that were given.

    Args:
        owner: what has the options, for messages: `engine 'astar'`.
        parameters: the options that it has.
        options: name → value as it was given.

    Raises:
        UnknownNameError: the owner has no option of that name.
        InvalidOptionError: a value is invalid.

    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in options:
        if name not in known:
            listing = f"its options are {', '.join(known)}" if known else "it has no options"
            if name.removeprefix("max_") in LIMITS:
                listing = (
                    f"a limit is given as limits=Limits(expansions=…, seconds=…, memory=…, cost=…); {listing}"
                )
            raise UnknownNameError(unknown(f"{owner} has no option {name!r}", name, known, listing))
    return {name: known[name].parse(value) for name, value in options.items()}


def option(
    help: str,
    *,
    default: Any,
    least: float | None = None,
    most: float | None = None,
    choices: Iterable[Any] = (),
    convert: Callable[[Any], Any] | None = None,
    file: bool = False,
    alias: str | None = None,
) -> Any:
    """Declare a field of a class with `with_options` as an option of the problem.

    Args:
        help: what it means, as in "boat is the most people in the boat": no capital, no full stop.
        default: its value if none is given. Given values are converted to its type: bool, int, float, `Fraction`, str,
            or a tuple of these, which is written `1,2,5`. None stands for a choice that the problem makes itself.
        least: the least number that is allowed, in a tuple for each.
        most: the largest number that is allowed.
        choices: the allowed values.
        convert: makes the value, in place of the type of the default: see `Parameter.convert`.
        file: whether the value names a file.
        alias: the name of the option, if it is not that of the field: `heuristic` is a method of a problem, so the
            field of such an option is, for example, `heuristic_name`.

    An invalid value raises `InvalidOptionError`, from the constructor, too. What depends on several options is checked
    in `__attrs_post_init__`, which runs when all fields are set; a `ValueError` of it becomes an `InvalidOptionError`.

    """
    given: dict[str, Any] = {} if convert is None else {"convert": convert}
    parameter = Parameter(
        "", help, default, choices=tuple(choices), file=file, least=least, most=most, **given
    )
    return field(
        default=default,
        converter=attrs.Converter(_converted, takes_field=True),
        metadata={PARAMETER: parameter},
        alias=alias,
    )


def _converted(value: Any, of: "attrs.Attribute[Any]") -> Any:
    return value if value is of.default else _parameter(of).parse(value)


def _parameter(of: "attrs.Attribute[Any]") -> Parameter:
    found: Parameter = of.metadata[PARAMETER]
    return attrs.evolve(found, name=of.alias or of.name)


@dataclass_transform(frozen_default=True, field_specifiers=(option, attrs.field))
def with_options(kind: Class) -> Class:
    """Make a class whose fields are options, and data that a file gives (`attrs.field()`), a class of attrs.

    Its instances are immutable, are equal if their fields are, and print what differs from the defaults:
    `Hanoi(discs=5)`. What is computed from the options is a `functools.cached_property`; it is not pickled.
    """
    if "__repr__" not in vars(kind):
        kind.__repr__ = _repr  # type: ignore[assignment]
    if check := vars(kind).get("__attrs_post_init__"):
        kind.__attrs_post_init__ = lambda problem: _check(check, problem)  # type: ignore[attr-defined]
    made = attrs.frozen(slots=False, getstate_setstate=True)(kind)
    vars(made)["__init__"].__annotations__.update({f.alias: f.type for f in attrs.fields(made) if f.init})
    return made


def _check(check: Callable[[Any], None], problem: Any) -> None:
    """Call a check of a problem; a `ValueError` of it becomes an `InvalidOptionError`."""
    try:
        check(problem)
    except ValueError as error:
        raise InvalidOptionError(str(error)) from error


def _repr(problem: Any) -> str:
    own = [f.alias for f in attrs.fields(type(problem)) if f.init and PARAMETER not in f.metadata]
    options = ", ".join(f"{name}={value!r}" for name, value in options_of(problem).items())
    return (
        f"{type(problem).__name__}({'…, ' * bool(own and options)}{'…' * bool(own and not options)}{options})"
    )


def parameters_of(kind: Any) -> tuple[Parameter, ...]:
    """Return the options that a class declares; () for anything else."""
    if not (isinstance(kind, type) and attrs.has(kind)):
        return ()
    return tuple(_parameter(of) for of in attrs.fields(kind) if PARAMETER in of.metadata)


def options_of(problem: Any) -> dict[str, Any]:
    """Return name → value of the options of a problem that differ from their defaults: what `Written` takes."""
    values = {
        f.alias: getattr(problem, f.name) for f in attrs.fields(type(problem)) if PARAMETER in f.metadata
    }
    return {p.name: values[p.name] for p in parameters_of(type(problem)) if values[p.name] != p.default}


def only_options(kind: Any) -> bool:
    """Whether a class is made of the options that it declares and nothing else."""
    return bool(parameters_of(kind)) and all(PARAMETER in f.metadata for f in attrs.fields(kind) if f.init)
