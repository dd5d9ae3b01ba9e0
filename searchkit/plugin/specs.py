"""What plugins publish: engines, problems and generators, with their promises and parameters, as data."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from attrs import Factory, field, frozen, validators

from searchkit.errors import InvalidOptionError, UnknownNameError, unknown
from searchkit.plugin.drawing import ContractedGraph, Places
from searchkit.plugin.files import Scenario, Source, Written
from searchkit.problem import SearchProblem

if TYPE_CHECKING:
    from concurrent.futures import Executor

EngineFunction = Callable[..., Iterator[Any]]
"""`run(problem, tree, **options)` yields each state just before it expands it: see `searchkit.engines`."""


def boolean(value: object) -> bool:
    """Return the truth value of a text: true/false, yes/no, on/off or 1/0. Raises ValueError for other texts."""
    word = str(value).lower()
    if word in ("true", "yes", "on", "1"):
        return True
    if word in ("false", "no", "off", "0"):
        return False
    raise ValueError("expected true or false")


def at_least(least: int) -> Callable[[Any], int]:
    """Return a function for `Parameter.convert` that reads whole numbers ≥ `least` and raises ValueError for others."""

    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) else index(value)
        if number < least:
            raise ValueError(f"expected a whole number, at least {least}")
        return number

    return read


@frozen
class Parameter:
    """An option of an engine or a problem: `--set name=value`, or `name=value` in Python."""

    name: str
    help: str
    default: Any = None
    convert: Callable[[Any], Any] = str
    """Makes the value from a string or from what Python code passed. Raises ValueError for an invalid one."""
    choices: tuple[Any, ...] = ()
    """The allowed values; empty if all are allowed."""
    file: bool = False
    """Whether the value names a file. A file named in a certificate has to be in the folder of the problem's file."""

    def parse(self, value: object) -> Any:
        """Return the converted value. Raises `InvalidOptionError`."""
        try:
            parsed = self.convert(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise InvalidOptionError(
                f"{self.name}={value}: {_reason(error)}; {self.name} is {self.help}"
            ) from error
        if self.choices and parsed not in self.choices:
            allowed = ", ".join(str(choice) for choice in self.choices)
            raise InvalidOptionError(
                f"{self.name}={value}: expected one of {allowed}; {self.name} is {self.help}"
            )
        return parsed


EXPECTED = {
    "invalid literal for int": "a whole number",
    "could not convert string to float": "a number",
    "invalid literal for fraction": "a number",
}
"""How Python's errors about texts that are not numbers begin, in small letters → what was expected."""


def _reason(error: Exception) -> str:
    """Return the message of an error of `Parameter.convert`, in the words of this project if it is Python's."""
    text = str(error)
    for beginning, kind in EXPECTED.items():
        if text.lower().startswith(beginning):
            return f"expected {kind}"
    return text


LIMITS = {"expansions", "seconds", "memory", "timeout"}
LIMITS |= {"max_expansions", "max_seconds", "max_memory", "max_cost"}
OF_LIMITS = "a limit is given as limits=Limits(expansions=…, seconds=…, memory=…, cost=…)"


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
            if name in LIMITS:
                listing = f"{OF_LIMITS}; {listing}"
            raise UnknownNameError(unknown(f"{owner} has no option {name!r}", name, known, listing))
    return {name: known[name].parse(value) for name, value in options.items()}


@frozen
class Example:
    """An instance that ships with a plugin: `searchkit solve NAME` finds it by its name."""

    name: str
    path: Path | None
    """The file; None if `ProblemSpec.instance` makes it from the options."""
    summary: str = ""
    options: Mapping[str, object] = field(factory=dict)
    """Options with which the instance is loaded or made, unless the user gives others."""

    @property
    def size(self) -> int:
        """The size of the file in bytes; 0 without a file. Raises `OSError`."""
        return 0 if self.path is None else self.path.stat().st_size


@frozen
class GeneratorSpec:
    """A function that generates instances as the text of a file: `searchkit generate NAME --option value`.

    The same options give the same text. A random generator takes its `seed` as an option; if the user gives none, the
    command line chooses one and prints it.
    """

    name: str = field(validator=validators.min_len(1))
    summary: str
    """What it generates, in one line."""
    parameters: tuple[Parameter, ...]
    make: Callable[..., str] = field(validator=validators.is_callable())
    """`make(**options)` returns the text. It is called with every option, as `parse` returns them."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return all options for `make`, defaults included. Raises `UnknownNameError` and `InvalidOptionError`."""
        given = parse_options(f"generator {self.name!r}", self.parameters, options)
        return {parameter.name: parameter.default for parameter in self.parameters} | given

    def generate(self, **options: object) -> str:
        """Return the text for these options. Raises what `parse` and the generator raise."""
        return self.make(**self.parse(options))


@frozen
class EngineSpec:
    """An engine, what it needs and what it promises. The promises are read by documentation, `auto` and tests."""

    name: str = field(validator=validators.min_len(1))
    run: EngineFunction = field(validator=validators.is_callable())
    summary: str = ""
    """One line: what it does, and who published it."""
    optimal: bool = False
    """Its path has the least possible cost, given costs that it handles and an admissible heuristic."""
    complete: bool = True
    """It finds a path if one exists; on finite spaces it ends if none exists."""
    exhaustive: bool = True
    """If it ends without a path, no path exists, unless it says that it left something out (`SearchTree.cut_by`). False
    for an engine that drops states without saying so."""
    costs: Literal["any", "unit", "zero-one", "whole"] = "any"
    """The costs that it handles. A `unit` engine counts actions; on other problems it warns and promises nothing. A
    `zero-one` engine takes costs of 0 and 1, and a `whole` engine whole numbers ≥ 1; others are errors."""
    heuristic: Literal["unused", "optional", "required", "backward"] = "unused"
    """Whether it uses `heuristic`; `backward` if it uses `backward_heuristic` alone, where the problem has it."""
    consistent: bool = False
    """Its heuristic has to be consistent, and whole if the costs have to be: it raises an error that names the step
    where it is not."""
    requires: tuple[type, ...] = ()
    """Capability protocols (`Reversible`, …) that the problem has to implement."""
    preferred: bool = False
    """`auto` chooses it for every problem that has the capabilities that it `requires`: it is made for these."""
    memory: Literal["states", "depth", "option", "own"] = "states"
    """What its memory grows with: the states reached, the length of one path, or nodes of its own kind. With `option`,
    it does not grow beyond what an option allows, and states are expanded repeatedly, as with `depth`."""
    arrivals: bool = True
    """`tree.reached` has an arrival at every state on which the lower bound depends, so that `certify` can prove it."""
    expands_once: bool = True
    """An optimal engine that holds `arrivals` expands no state twice, unless the heuristic is inconsistent.

    This is false for engines that search in rounds or for several paths; `compare` runs them only if they are named.
    """
    aliases: tuple[str, ...] = ()
    """Other names of the algorithm. It can't be chosen by them; an error about such a name suggests this engine."""
    options: tuple[Parameter, ...] = ()
    kernel: str = ""
    """Its compiled form: `module:name` of a `searchkit.compiled.kit.KernelRun`, imported when used; "" for none. For
    engines of searchkit, a name in `searchkit.search.backend.KERNELS`."""
    kernel_needs_view: bool = True
    """Whether its compiled form searches the compiled view of a problem, which then has to be `Compilable`. If not, the
    capabilities that the engine `requires` are enough for machine code."""
    on_disk: tuple[str, ...] = ()
    """Engines that give the same answer on disk, for a search that reaches its limit of memory: the first one whose
    requirements the problem meets. They take whole costs ≥ 1 only, and a consistent heuristic."""
    layered: bool = False
    """It expands whole layers (or buckets of equal f and g), in an order within a layer that is not defined, and is
    machine code only: its `run` raises an error."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return the given options for `run`, converted. Raises `UnknownNameError` and `InvalidOptionError`."""
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


@frozen
class ExecutorSpec:
    """A kind of executor: what runs the tasks of a search, or many searches, at once."""

    name: str = field(validator=validators.matches_re(r"[a-z][a-z0-9-]*"))
    """Lower-case letters, digits and hyphens. What a user writes begins with it: `NAME` or `NAME:…`."""
    summary: str = field(validator=validators.min_len(1))
    """One line for the list of executors."""
    open: "Callable[[str], Executor]" = field(validator=validators.is_callable())
    """`open(text)` returns a `concurrent.futures.Executor` for what the user wrote. Raises `InvalidOptionError` for an
    invalid text, and `MissingExtraError` if a package is missing. Packages are imported when it is called."""


def imported_late(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports `name` from `module` when it is called, and calls it.

    Use it for strategies: Hypothesis is installed only where tests run.
    """

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **options)

    return call


@frozen
class ProblemSpec:
    """A kind of problem, and how its instances are made."""

    name: str = field(validator=validators.min_len(1))
    summary: str
    factory: Callable[..., SearchProblem[Any, Any]] = field(validator=validators.is_callable())
    """Makes a problem in Python, with arguments of its own."""
    parameters: tuple[Parameter, ...] = ()
    """Options for loading an instance from a file, or for making one without a file."""
    examples: tuple[Example, ...] = field(default=())
    strategy: Callable[[], Any] | None = None
    """Returns a Hypothesis strategy for problems of this kind; only tests call it."""
    strategies: Mapping[str, Callable[..., Any]] = field(factory=dict)
    """Name → function that returns a Hypothesis strategy, for `searchkit.testing.strategies`; see `imported_late`."""
    generators: tuple[GeneratorSpec, ...] = ()
    """Generators of new instances."""
    always_solvable: bool = False
    """Every problem of this kind has a solution, so that its strategies need not draw unsolvable ones."""
    group: str = ""
    """The heading under which `searchkit problems` lists it."""
    instance: Callable[..., SearchProblem[Any, Any]] | None = field(
        default=None, validator=validators.optional(validators.is_callable())
    )
    """`instance(**options)` makes a problem without a file, from all options as `parse` returns them, defaults
    included: then the name of the kind can stand for a file, as in `searchkit solve queens --set n=6` and
    `load("queens", n=6)`. None if every instance is read from a file."""
    read: Callable[..., SearchProblem[Any, Any] | None] | None = None
    """`read(source, **options)` makes the problem of a file, a `Source`, from all options as `parse` returns them,
    defaults included. None if the kind has no format for files. It raises `InputFormatError`, with the line and, if it
    helps, the column, if the text is faulty."""
    suffixes: tuple[str, ...] = ()
    """The suffixes of its files, in lower case, with the dot. They count for more than `recognise`."""
    recognise: Callable[[Source, Mapping[str, object]], bool] | None = None
    """Whether a file looks like one of this kind, valid or not, given the options as the user wrote them. Called for
    files whose kind the user does not name."""
    scenario: Callable[[Source, str | None, Mapping[str, object]], Scenario | None] | None = None
    """`scenario(source, map, options)` returns the queries with known answers that a file lists, or None if it does not
    have this format; `map` is the file that the queries are about, None if the scenario names it."""
    classes: tuple[type, ...] = field(
        default=Factory(lambda self: (self.factory,) * isinstance(self.factory, type), takes_self=True)
    )
    """The classes of its problems, and of their subclasses: by these, the three functions below are found."""
    places: Callable[[Any], Places[Any] | None] | None = None
    """Returns where the states of a problem are and how they look. Terminal, pictures, recordings and player draw from
    it; a problem without places is shown as the tree of its states."""
    contract: Callable[[Any], ContractedGraph | None] | None = None
    """Returns the small graph to which a problem can be contracted, for drawing."""
    write: Callable[[Any], Written | None] | None = None
    """Returns a text and options from which `load` makes an equal problem, or None if that is not possible. Equal
    means: the same starts, actions, costs, goals and heuristic values, in the same order. With it, reports of tests end
    in lines of Python that make the problem again."""

    @examples.validator
    def _can_be_made(self, attribute: object, examples: tuple[Example, ...]) -> None:
        for example in examples:
            if example.path is None and self.instance is None:
                raise ValueError(
                    f"example {example.name!r} of problem {self.name!r} has no path, and the problem has no instance "
                    "to make it"
                )

    def claims(self, source: Source, options: Mapping[str, object]) -> bool:
        """Whether a file has a suffix of this kind, or looks like one of its files."""
        if source.suffix in self.suffixes:
            return True
        return self.recognise is not None and self.recognise(source, options)

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return all options of an instance, defaults included. Raises `UnknownNameError` and `InvalidOptionError`."""
        given = parse_options(f"problem {self.name!r}", self.parameters, options)
        return {parameter.name: parameter.default for parameter in self.parameters} | given
