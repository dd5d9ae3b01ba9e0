"""Options: of engines and generators as `Parameter`, and of problems as fields of their class, each declared once.

    @with_options
    class Hanoi(SearchProblem[State, Move]):
        \"\"\"The tower of Hanoi.\"\"\"

        discs: int = option("the number of discs", default=4, least=1, most=30)

The arguments of the constructor, conversion and checks, `--set`, `repr`, equality, pickling, the written form and the
lists of options all follow from the fields.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from operator import index
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, dataclass_transform, get_args, get_origin

import attrs
from attrs import field, frozen

from searchkit.errors import InvalidOptionError, UnknownNameError, shortened, unknown

Class = TypeVar("Class", bound=type)
PARAMETER = "searchkit"
"""The key of a field's metadata with its `Parameter`."""
WORDS: Mapping[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Fraction: "a number",
    str: "a text",
    Path: "a path",
}
"""Types of which values are made, and what messages call their values."""


def converted(form: Any, value: Any) -> Any:
    """Return the value that a type of `WORDS`, a `tuple[…, ...]` of one, or a function makes of a text or a value.

    Raises ValueError, TypeError or ArithmeticError if it can't be made.

    Example:
        >>> converted(tuple[int, ...], "3,4"), converted(Fraction, "1/3"), converted(bool, "no")
        ((3, 4), Fraction(1, 3), False)

    """
    if get_origin(form) is tuple:
        parts = value.strip(" ()[]").split(",") if isinstance(value, str) else value
        return tuple(converted(get_args(form)[0], part) for part in parts if part != "")
    if form is int:
        return int(value) if isinstance(value, str) else index(value)
    if form is bool:
        return attrs.converters.to_bool(value)
    return form(value)


def literal(value: Any) -> Any:
    """Return the value of a Python literal in a text, of `a,b` a tuple; any other text or value as it is."""
    if isinstance(value, list):  # an option of the command line that is repeated
        return tuple(map(literal, value))
    if not isinstance(value, str):
        return value
    with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ast.literal_eval(value.strip())
    return tuple(literal(part.strip()) for part in value.split(",")) if "," in value else value


@frozen
class Parameter:
    """An option of an engine, a problem or a generator: `--set name=value`, or `name=value` in Python."""

    name: str
    help: str
    default: Any = None
    convert: Any = None
    """What makes the value from a string or from what Python code passed: a type, `tuple[int, ...]`, or a function
    that raises ValueError, with what was expected, for an invalid value. By default, the type of the default; of a
    tuple, the types of its values are that of the first; without a default, a text."""
    choices: tuple[Any, ...] = ()
    """The allowed values; empty if all are allowed."""
    file: bool = False
    """Whether the value names a file. A file named in a certificate has to be in the folder of the problem's file."""
    least: float | None = None
    """The least number that is allowed; in a tuple, the least that each may be."""
    most: float | None = None
    """The largest number that is allowed."""
    required: bool = False
    """Whether it has to be given: the default is no value."""

    @property
    def form(self) -> Any:
        """What makes a value: `convert`, or the type of the default."""
        if self.convert is not None:
            return self.convert
        if isinstance(self.default, tuple) and self.default:
            return tuple[type(self.default[0]), ...]  # type: ignore[misc]  # made at run time
        return type(self.default) if type(self.default) in WORDS else str

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
        several = get_origin(self.form) is tuple
        kind = WORDS.get(get_args(self.form)[0] if several else self.form, "a number")
        kind = f"{kind.partition(' ')[2]}s" if several else kind
        comma = "," if (self.least is None) != (self.most is None) else ""
        values = ",".join(map(str, self.default)) if isinstance(self.default, tuple) else ""
        return f"{kind}{comma} {self.range}".strip() + (f", such as {values}" if values else "")

    def parse(self, value: object) -> Any:
        """Return the default as it is, and any other value converted. Raises `InvalidOptionError`."""
        if value is self.default:
            return value
        several, reason = get_origin(self.form) is tuple, f"expected {self.expected}"
        try:
            parsed = converted(self.form, value)
            numbers = parsed if several else (parsed,)
            if self.choices and parsed not in self.choices:
                reason = unknown("", value, map(str, self.choices), reason).lstrip(":; ")
                raise ValueError
            small = self.least is not None and any(not number >= self.least for number in numbers)
            large = self.most is not None and any(not number <= self.most for number in numbers)
            if (self.default and not numbers) or small or large:
                raise ValueError
        except (ValueError, TypeError, ArithmeticError) as error:
            of_python = str(error).startswith(("invalid literal", "could not convert"))
            if not (self.choices or several or self.form in WORDS or of_python):  # of its own function
                reason = str(error) or reason
            text = ",".join(map(str, value if isinstance(value, tuple | list) else [value]))
            shown = shortened(text, 80)
            raise InvalidOptionError(f"{self.name}={shown}: {reason}; {self.name} is {self.help}") from error
        return parsed


def parse_options(
    owner: str, parameters: Iterable[Parameter], options: Mapping[str, object]
) -> dict[str, Any]:
    """Return name → value of all options: those that were given, converted, and the defaults of the others.

    Args:
        owner: what has the options, for messages: `engine 'astar'`.
        parameters: the options that it has.
        options: name → value as it was given.

    Raises:
        UnknownNameError: the owner has no option of that name.
        InvalidOptionError: a value is invalid, or one that is required is missing.

    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in options:
        if name not in known:
            listing = f"its options are {', '.join(known)}" if known else "it has no options"
            if name.removeprefix("max_") in ("expansions", "seconds", "memory", "timeout"):
                listing = f"a limit is given as limits=Limits(expansions=…, seconds=…, memory=…); {listing}"
            raise UnknownNameError(unknown(f"{owner} has no option {name!r}", name, known, listing))
    if lacking := [name for name, each in known.items() if each.required and name not in options]:
        values = " ".join(f"--set {name}=…" for name in lacking)
        raise InvalidOptionError(f"{owner} needs a value for {' and '.join(lacking)}: {values}")
    return {name: each.parse(options.get(name, each.default)) for name, each in known.items()}


def option(
    help: str,
    *,
    default: Any,
    least: float | None = None,
    most: float | None = None,
    choices: Iterable[Any] = (),
    convert: Any = None,
    alias: str | None = None,
) -> Any:
    """Declare a field of a class with `with_options` as an option of the problem: see `Parameter`.

    Args:
        help: what it means, as in "boat is the most people in the boat": no capital, no full stop.
        default: its value if none is given. Given values are converted to its type: bool, int, float, `Fraction`, str,
            or a tuple of these, which is written `1,2,5`. None means that the problem chooses.
        least: the least number that is allowed, in a tuple for each.
        most: the largest number that is allowed.
        choices: the allowed values.
        convert: makes the value, in place of the type of the default.
        alias: the name of the option, if it is not that of the field: `heuristic` is a method of a problem, so the
            field of such an option is, for example, `heuristic_name`.

    An invalid value raises `InvalidOptionError`, from the constructor, too. What depends on several options is checked
    in `__attrs_post_init__`, which runs when all fields are set; a `ValueError` of it becomes an `InvalidOptionError`.

    """
    parameter = Parameter("", help, default, convert, tuple(choices), False, least, most)
    return field(default=default, alias=alias, metadata={PARAMETER: parameter})


def _with_converters(kind: type, fields: Iterable["attrs.Attribute[Any]"]) -> list["attrs.Attribute[Any]"]:
    """Give each option its name, and its field the converter that follows from it."""
    made = []
    for of in fields:
        if parameter := of.metadata.get(PARAMETER):
            parameter = attrs.evolve(parameter, name=of.alias or of.name)
            of = of.evolve(metadata={PARAMETER: parameter}, converter=parameter.parse)
        made.append(of)
    return made


def _declared(kind: Any) -> Mapping[str, Parameter]:
    """Return field → option, of those that a class declares; {} for anything else."""
    fields = attrs.fields(kind) if isinstance(kind, type) and attrs.has(kind) else ()
    return {of.name: of.metadata[PARAMETER] for of in fields if PARAMETER in of.metadata}


@dataclass_transform(frozen_default=True, field_specifiers=(option, attrs.field))
def with_options(kind: Class) -> Class:
    """Make a class whose fields are options, and data that a file gives (`attrs.field()`), a class of attrs.

    Its instances are immutable, are equal if their fields are, and print what differs from the defaults:
    `Hanoi(discs=5)`. What is computed from the options is a `functools.cached_property`; it is not pickled.
    """
    if "__repr__" not in vars(kind):
        kind.__repr__ = _repr  # type: ignore[assignment]
    kind._repr_pretty_ = _repr_pretty  # type: ignore[attr-defined]
    if check := vars(kind).get("__attrs_post_init__"):
        kind.__attrs_post_init__ = lambda problem: _check(check, problem)  # type: ignore[attr-defined]
    made = attrs.frozen(slots=False, getstate_setstate=True, field_transformer=_with_converters)(kind)
    vars(made)["__init__"].__annotations__.update({f.alias: f.type for f in attrs.fields(made) if f.init})
    return made


def _repr_pretty(problem: Any, printer: Any, cycle: bool) -> None:
    """Show the repr, a drawing for many problems, in the reports of Hypothesis instead of the fields."""
    printer.text(repr(problem) + "\n" * ("\n" in repr(problem)))


def _check(check: Callable[[Any], None], problem: Any) -> None:
    """Call a check of a problem; a `ValueError` of it becomes an `InvalidOptionError`."""
    try:
        check(problem)
    except ValueError as error:
        raise InvalidOptionError(str(error)) from error


def _repr(problem: Any) -> str:
    options = [f"{name}={value!r}" for name, value in options_of(problem).items()]
    hidden = ["…"] * (not only_options(type(problem)))
    return f"{type(problem).__name__}({', '.join(hidden + options)})"


def parameters_of(kind: Any) -> tuple[Parameter, ...]:
    """Return the options that a class declares; () for anything else."""
    return tuple(_declared(kind).values())


def options_of(problem: Any) -> dict[str, Any]:
    """Return name → value of the options of a problem that differ from their defaults, as `load` takes them."""
    declared = _declared(type(problem)).items()
    return {of.name: value for name, of in declared if (value := getattr(problem, name)) != of.default}


def only_options(kind: Any) -> bool:
    """Whether a class is made of the options that it declares and nothing else."""
    declared = _declared(kind)
    return bool(declared) and all(of.name in declared for of in attrs.fields(kind) if of.init)


def takes(function: Any, number: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*[None] * number)
    except (TypeError, ValueError) as error:
        return isinstance(error, ValueError)  # some built-in functions have no signature
    return True


def arguments_of(call: Callable[..., Any], owner: str) -> tuple[Parameter, ...]:
    """Return the arguments of a class or function as options.

    `*args` and `**kwargs` are left out. A value is made by the annotation if it is one of `WORDS`, or one of these or
    None; otherwise by the type of the default, or by `literal`. What a class declares by `option` is as it declares it.
    """
    signature = inspect.Signature()
    for evaluated in (False, True):  # the second fails for an annotation that can't be evaluated
        with suppress(Exception):
            signature = inspect.signature(call, eval_str=evaluated)
    found = dict[str, Parameter]()
    for name, argument in signature.parameters.items():
        if argument.kind not in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            required = argument.default is argument.empty
            default = None if required else argument.default
            parts = get_args(argument.annotation)
            forms = [*(parts if NoneType in parts else ()), argument.annotation, type(default)]
            form = next((one for one in forms if one in WORDS), literal)
            words = f"an argument of {owner}" + (f", {WORDS[form]}" if form in WORDS else "")
            found[name] = Parameter(name, words, default, form, file=form is Path, required=required)
    return tuple((found | {each.name: each for each in parameters_of(call)}).values())
