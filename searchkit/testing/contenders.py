"""The engine that is checked, in any of its forms."""

from collections.abc import Callable
from inspect import Parameter as Argument
from inspect import isgeneratorfunction, signature
from typing import Any

from attrs import frozen

from searchkit.errors import InvalidOptionError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec, Parameter, parse_options

PlainFunction = Callable[[Any], "list[Any] | None"]
EXPECTED = (
    "expected the name of an engine, an EngineSpec, a generator function (problem, tree, **options), or a function of "
    "one problem that returns a list of states, or None if there is no path"
)


@frozen
class Contender:
    """An engine with an `EngineSpec` (`spec`), or a plain function of a problem (`function`)."""

    name: str
    reference: str
    """The Python expression for it: `"astar"`, or the name of a function."""
    spec: EngineSpec | None = None
    function: PlainFunction | None = None
    declared: bool = True
    """Whether the promises in the spec are the author's own; those of a function are unknown."""

    @property
    def memory(self) -> str:
        """What its memory grows with; see `EngineSpec.memory`."""
        return self.spec.memory if self.spec else "own"

    @property
    def subject(self) -> str:
        """Its name in reports."""
        return f"engine {self.name}" if self.spec else f"function {self.name}"

    def call_with(self, options: dict[str, Any]) -> str:
        """Return the call that solves `problem` with it, as Python."""
        if self.spec is None:
            return f"{self.reference}(problem)"
        given = "".join(f", {name}={value!r}" for name, value in options.items())
        return f"solve(problem, {self.reference}{given})"


def contender_for(engine: Any) -> Contender:
    """Return the contender for an engine in any form.

    Raises:
        UnknownNameError: there is no engine of that name.
        InvalidOptionError: it has none of the forms; the message says which form is closest.

    """
    if isinstance(engine, str):
        spec = registry().engine(engine)
        return Contender(spec.name, f'"{spec.name}"', spec=spec)
    if isinstance(engine, EngineSpec):
        known = registry().engines.get(engine.name) == engine
        call = f'"{engine.name}"' if known else getattr(engine.run, "__name__", engine.name)
        return Contender(engine.name, call, spec=engine)
    if not callable(engine):
        raise InvalidOptionError(f"{engine!r} is not an engine; {EXPECTED}")
    name = getattr(engine, "__name__", type(engine).__name__)
    required, taken = _positional(engine)
    if isgeneratorfunction(engine):
        if len(required) != 2:
            raise InvalidOptionError(
                f"{name} is a generator function of {len(required)} required arguments; "
                f"an engine takes two, (problem, tree), and options with defaults; {EXPECTED}"
            )
        options = tuple(
            Parameter(option, f"an option of {name}", convert=lambda value: value) for option in taken[2:]
        )
        # It is unknown which states it stores, so no check depends on that.
        spec = EngineSpec(name, engine, heuristic="optional", memory="own", arrivals=False, options=options)
        return Contender(name, name, spec=spec, declared=False)
    if len(required) != 1:
        hint = "; two arguments are the form of a generator function, and this one has no yield"
        raise InvalidOptionError(
            f"{name} takes {len(required)} required arguments{hint if len(required) == 2 else ''}; {EXPECTED}"
        )
    return Contender(name, name, function=engine, declared=False)


def with_options(contender: Contender, options: dict[str, object]) -> dict[str, Any]:
    """Read the options of the engine. Raises `UnknownNameError` and `InvalidOptionError`."""
    if contender.spec is None:
        return parse_options(f"function {contender.name!r}", (), options)
    return contender.spec.parse(options)


def _positional(function: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """Return the names of the required arguments, and of all positional arguments."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # some built-in functions have no signature
        return ["problem"], ["problem"]
    by_place = [p for p in parameters if p.kind in (Argument.POSITIONAL_ONLY, Argument.POSITIONAL_OR_KEYWORD)]
    needed = [p.name for p in parameters if p.kind is Argument.KEYWORD_ONLY and p.default is Argument.empty]
    required = [p.name for p in by_place if p.default is Argument.empty]
    return required + needed, [p.name for p in by_place]
