"""What plugins publish: engines, problems and generators, with their promises and parameters, as data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

from attrs import Factory, field, frozen, validators

from searchkit.errors import InvalidOptionError
from searchkit.plugin.drawing import ContractedGraph, Places
from searchkit.plugin.files import Scenario, Source
from searchkit.plugin.options import Parameter, only_options, parameters_of, parse_options
from searchkit.problem import SearchProblem

if TYPE_CHECKING:
    from concurrent.futures import Executor

EngineFunction = Callable[..., Iterator[Any]]
"""`run(problem, tree, **options)` yields each state just before it expands it: see `searchkit.engines`."""


@frozen
class Example:
    """An instance that ships with a plugin: `searchkit solve NAME` finds it by its name."""

    name: str
    path: Path | None
    """The file; None if `ProblemSpec.instance` makes it from the options."""
    summary: str = ""
    options: Mapping[str, object] = field(factory=dict)
    """Options with which the instance is loaded or made, unless the user gives others."""


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
    """`make(**options)` returns the text. It is called with every option, converted."""

    def generate(self, **options: object) -> str:
        """Return the text for these options. Raises what `parse_options` and `make` raise."""
        return self.make(**parse_options(f"generator {self.name!r}", self.parameters, options))


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
    memory: Literal["states", "depth", "own"] = "states"
    """What its memory grows with: the states reached, the length of one path, or nodes of its own kind. With `depth`,
    states are expanded repeatedly."""
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
    machine_code_only: bool = False
    """It has no form in Python: its `run` raises an error that says so."""

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return the given options for `run`, converted. Raises `UnknownNameError` and `InvalidOptionError`."""
        parsed = parse_options(f"engine {self.name!r}", self.options, options)
        return {name: parsed[name] for name in options}


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
    open: "Callable[[str], Executor]" = field(validator=validators.is_callable())
    """`open(text)` returns a `concurrent.futures.Executor` for what the user wrote. Raises `InvalidOptionError` for an
    invalid text, and `MissingExtraError` if a package is missing. Packages are imported when it is called."""


@frozen
class ProblemSpec:
    """A kind of problem, and how its instances are made."""

    name: str = field(validator=validators.min_len(1))
    summary: str
    factory: Callable[..., SearchProblem[Any, Any]] = field(validator=validators.is_callable())
    """Makes a problem in Python, with arguments of its own: the class of the problem, or a function."""
    parameters: tuple[Parameter, ...] = Factory(lambda self: parameters_of(self.factory), takes_self=True)
    """Options for loading an instance from a file, or for making one without a file. By default, these are the options
    that the class declares (`searchkit.plugin.option`): whatever a problem is made of. A kind with files adds options
    that say how a file is read, which are no fields: the number of a board, the file of the map, or the class."""
    examples: tuple[Example, ...] = ()
    small: Mapping[str, Sequence[Any]] | None = None
    """In place of a strategy: option → the values that tests draw from, the simplest first. Other options are drawn
    from their choices, and what `instance` refuses is left out."""
    strategies: Mapping[str, str] = field(factory=dict)
    """Name → `module:function` of what returns a Hypothesis strategy: `searchkit.testing.strategies` has it under this
    name. It is imported when it is used, because Hypothesis is installed only where tests run."""
    generators: tuple[GeneratorSpec, ...] = ()
    """Generators of new instances."""
    group: str = ""
    """The heading under which `searchkit problems` lists it."""
    instance: Callable[..., SearchProblem[Any, Any]] | None = field(
        default=Factory(lambda self: self.factory if only_options(self.factory) else None, takes_self=True),
        validator=validators.optional(validators.is_callable()),
    )
    """`instance(**options)` makes a problem without a file, from all options as `parse` returns them, defaults
    included: then the name of the kind can be used in place of a file, as in `searchkit solve queens --set n=6` and
    `load("queens", n=6)`. None if every instance is read from a file. By default, it is the class, if this has options
    and nothing else."""
    read: Callable[..., SearchProblem[Any, Any]] | None = None
    """`read(source, **options)` makes the problem of a file, a `Source`, from all options as `parse` returns them,
    defaults included. None if the kind has no format for files. It raises `InputFormatError`, with the line and, if it
    helps, the column, if the text is faulty."""
    formats: tuple[str | Callable[[Source, Mapping[str, object]], bool], ...] = ()
    """By what its files are known, if the user does not name the kind: suffixes, in lower case with the dot, which
    count for more; and functions that say whether a file looks like one of this kind, valid or not, given the options
    as the user wrote them."""
    scenario: Callable[[Source, str | None], Scenario | None] | None = None
    """`scenario(source, map)` returns the queries with known answers that a file lists, or None if it does not have
    this format; `map` is the file that the queries are about, None if the scenario names it."""
    classes: tuple[type, ...] = field(
        default=Factory(lambda self: (self.factory,) * isinstance(self.factory, type), takes_self=True)
    )
    """The classes of its problems, and of their subclasses: by these, the three functions below are found."""
    places: Callable[[Any], Places[Any] | None] | None = None
    """Returns where the states of a problem are and how they look. Terminal, pictures, recordings and player draw from
    it; a problem without places is shown as the tree of its states."""
    contract: Callable[[Any], ContractedGraph | None] | None = None
    """Returns the small graph to which a problem can be contracted, for drawing."""
    write: Callable[[Any], str | tuple[str, Mapping[str, object]] | None] | None = Factory(
        lambda self: (lambda problem: "") if only_options(self.factory) else None, takes_self=True
    )
    """Returns the text of a file, or this and options, from which `load` makes an equal problem; None if that is not
    possible. Equal means: the same starts, actions, costs, goals and heuristic values, in the same order. With it,
    reports of tests end in lines of Python that make the problem again. A text alone is for the options that the class
    declares, and not for problems of subclasses; by default, it is empty for a class that has nothing but options."""

    @property
    def strategy(self) -> Callable[[], Any] | None:
        """What returns a Hypothesis strategy: that of `small`, or the first of `strategies`; None without these."""
        if self.small is not None:
            return self._draw_small
        return next(map(resolve_name, self.strategies.values()), None)

    def _draw_small(self) -> Any:
        st = import_module("hypothesis.strategies")
        values = {each.name: each.choices for each in self.parameters if each.choices}
        values |= {each.name: (False, True) for each in self.parameters if isinstance(each.default, bool)}
        values |= {name: tuple(drawn) for name, drawn in (self.small or {}).items()}

        def attempt(options: dict[str, Any]) -> Any:
            with suppress(InvalidOptionError):
                return self.make(**options)

        given = {name: st.sampled_from(drawn) for name, drawn in values.items()}
        return st.fixed_dictionaries(given).map(attempt).filter(lambda problem: problem is not None)

    def make(self, **options: object) -> SearchProblem[Any, Any]:
        """Return the instance that these options make without a file; those not given have their defaults.

        Raises `UnknownNameError` for an unknown option, and `InvalidOptionError` for an invalid value, and if every
        instance is read from a file.
        """
        if self.instance is None:
            raise InvalidOptionError(f"a problem {self.name!r} is read from a file; expected the path of one")
        return self.instance(**self.parse(options))

    def parse(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Return all options of an instance, defaults included. Raises `UnknownNameError` and `InvalidOptionError`."""
        return parse_options(f"problem {self.name!r}", self.parameters, options)
