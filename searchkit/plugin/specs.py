"""What plugins publish: engines and problems with their promises and parameters, as data."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen, validators

from searchkit.errors import InvalidOptionError, UnknownNameError, unknown
from searchkit.problem import SearchProblem

EngineFunction = Callable[..., Iterator[Any]]
"""`run(problem, tree, **options)`: yields each state just before it expands it; see `searchkit.engines`."""


def boolean(value: object) -> bool:
    """Read a yes or no from the command line: true/false, yes/no, on/off, 1/0."""
    word = str(value).lower()
    if word in ("true", "yes", "on", "1"):
        return True
    if word in ("false", "no", "off", "0"):
        return False
    raise ValueError("expected true or false")


@frozen
class Parameter:
    """An option of an engine or a problem: `--set name=value`, or `name=value` in Python."""

    name: str
    help: str
    default: Any = None
    convert: Callable[[Any], Any] = str
    """Makes the value from a string or from what Python code passed; raises ValueError if it can't."""
    choices: tuple[Any, ...] = ()
    """The allowed values; any where empty."""
    file: bool = False
    """Whether the value names a file. One that a certificate names has to lie in the folder of the problem's file."""

    def parse(self, value: object) -> Any:
        """Return the value as the owner takes it, or raise `InvalidOptionError`."""
        try:
            parsed = self.convert(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise InvalidOptionError(f"{self.name}={value}: {error}; {self.name} is {self.help}") from error
        if self.choices and parsed not in self.choices:
            allowed = ", ".join(str(choice) for choice in self.choices)
            raise InvalidOptionError(
                f"{self.name}={value}: expected one of {allowed}; {self.name} is {self.help}"
            )
        return parsed


LIMITS = (
    "expansions",
    "seconds",
    "memory",
    "timeout",
    "max_expansions",
    "max_seconds",
    "max_memory",
    "max_cost",
)
OF_LIMITS = "a limit is given as limits=Limits(expansions=…, seconds=…, memory=…, cost=…)"


def parse_options(
    owner: str, parameters: Iterable[Parameter], options: Mapping[str, object]
) -> dict[str, Any]:
    """Read the options given to `owner`, refusing those it does not have. Options left out stay out."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in options:
        if name not in known:
            listing = f"its options are {', '.join(known)}" if known else "it has no options"
            if name in LIMITS:
                listing = f"{OF_LIMITS}; {listing}"
            raise UnknownNameError(unknown(f"{owner} has no option {name!r}", name, known, listing))
    return {name: known[name].parse(value) for name, value in options.items()}


@frozen
class Example:
    """An instance that ships with a plugin: `searchkit solve NAME` finds it by its name."""

    name: str
    path: Path
    summary: str = ""
    options: Mapping[str, object] = field(factory=dict)
    """Options that the instance is shown with, unless the user gives others."""


@frozen
class GeneratorSpec:
    """A maker of instances, written as the text of a file: `searchkit generate NAME --option value`.

    The same options make the same text. A generator that draws at random takes its `seed` as an option; the command
    line chooses one where the user gives none, and says which.
    """

    name: str = field(validator=validators.min_len(1))
    summary: str
    """What it makes, in one line."""
    parameters: tuple[Parameter, ...]
    make: Callable[..., str] = field(validator=validators.is_callable())
    """`make(**options)` → the text; every option is given, as `parse` returns it."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Read options for `make`, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
        given = parse_options(f"generator {self.name!r}", self.parameters, options)
        return {parameter.name: parameter.default for parameter in self.parameters} | given

    def generate(self, **options: object) -> str:
        """Return the text that these options make. Raises as `parse` does, and as the generator does."""
        return self.make(**self.parse(options))


@frozen
class EngineSpec:
    """An engine, what it needs and what it promises. Documentation, `auto` and tests read the promises."""

    name: str = field(validator=validators.min_len(1))
    run: EngineFunction = field(validator=validators.is_callable())
    summary: str = ""
    """One line: what it does, and who published it."""
    optimal: bool = False
    """The path costs the least possible, given the costs it handles and an admissible heuristic."""
    complete: bool = True
    """It finds a path where one exists, and ends on finite spaces where none does."""
    exhaustive: bool = True
    """If it ends without a path, there is none; a beam search, which drops states, can't say so."""
    costs: Literal["any", "unit", "zero-one"] = "any"
    """The costs it handles. A `unit` engine counts actions: on other problems it warns and promises nothing."""
    heuristic: Literal["unused", "optional", "required"] = "unused"
    requires: tuple[type, ...] = ()
    """Capability protocols (`Reversible`, …) that the problem has to meet."""
    preferred: bool = False
    """`auto` chooses it for every problem that meets what it `requires`: it is made for these."""
    memory: Literal["states", "depth", "own"] = "states"
    """What its memory grows with: the states reached, the length of one path, or nodes of its own making."""
    arrivals: bool = True
    """`tree.reached` holds an arrival at every state that the lower bound rests on: `certify` proves it from them."""
    aliases: tuple[str, ...] = ()
    """Other names that textbooks have for it. It can't be chosen by them; an error about one names this engine."""
    options: tuple[Parameter, ...] = ()
    kernel: str = ""
    """`module:name` of its compiled form, a `searchkit.compiled.kit.KernelRun`; "" for none. Imported when used."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Read options for `run`. Raises `UnknownNameError` and `InvalidOptionError`."""
        return parse_options(f"engine {self.name!r}", self.options, options)


@frozen
class CommandSpec:
    """A command that a plugin adds to `searchkit`."""

    name: str = field(validator=validators.matches_re(r"[a-z][a-z0-9-]*"))
    """Lower-case letters, digits and hyphens. A name of searchkit's own commands can't be used."""
    summary: str = field(validator=validators.min_len(1))
    """One line for `searchkit --help`."""
    target: str = field(validator=validators.matches_re(r"[\w.]+:\w+"))
    """`module:name` of a Typer app or of a function that Typer can call. Imported when the command is used."""


def imported_late(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports `name` from `module` when it is called, and calls it.

    For strategies: Hypothesis is there only where tests run.
    """

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **options)

    return call


@frozen
class ProblemSpec:
    """A kind of problem: how instances are made, and from what."""

    name: str = field(validator=validators.min_len(1))
    summary: str
    factory: Callable[..., SearchProblem[Any, Any]] = field(validator=validators.is_callable())
    """Makes a problem in Python."""
    parameters: tuple[Parameter, ...] = ()
    """Options of instances that are loaded from a file."""
    examples: tuple[Example, ...] = ()
    strategy: Callable[[], Any] | None = None
    """Returns a Hypothesis strategy of problems of this kind; called only by tests."""
    strategies: Mapping[str, Callable[..., Any]] = field(factory=dict)
    """Name → function that returns a Hypothesis strategy, for `searchkit.testing.strategies`; see `imported_late`."""
    generators: tuple[GeneratorSpec, ...] = ()
    """What makes new instances."""
    always_solvable: bool = False
    """Every problem of this kind has a solution: nobody expects its strategies to draw some that have none."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Read the options of an instance, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
        given = parse_options(f"problem {self.name!r}", self.parameters, options)
        return {parameter.name: parameter.default for parameter in self.parameters} | given
