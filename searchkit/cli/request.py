"""The problem of SOURCE and its options, and the settings of `--set` for the engines and for the problem."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import typer
from attrs import frozen

from searchkit.errors import InputFormatError, InvalidOptionError, UnknownNameError, unknown
from searchkit.plugin.files import Source
from searchkit.plugin.loading import OpenedSource
from searchkit.plugin.options import Parameter
from searchkit.plugin.programs import object_in, split_program
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.search.auto import choose_engine, engine_spec

STDIN = "-"
STDIN_NAME = "<stdin>"
"""How messages name standard input."""


@frozen
class Task:
    """A problem that was loaded, and the engines that were named, with the options of each."""

    kind: str
    """The name of the kind of problem."""
    problem: SearchProblem[Any, Any]
    engines: Mapping[str, str | EngineSpec]
    """The name that was given → the engine; `auto` is left to the search."""
    options: Mapping[str, Mapping[str, Any]]
    """The name that was given → the options of the engine."""


@frozen(slots=False)
class Request:
    """A source, and the options that were given with it."""

    source: str
    problem: str | None
    places: Mapping[str, Sequence[str]]
    """The values of `--start` and `--goal`, if given, under `start` and `goal`."""
    settings: Mapping[str, str]
    """The options `--set`: name → value."""

    @classmethod
    def of(
        cls,
        source: str,
        problem: str | None = None,
        starts: Sequence[str] | None = None,
        goals: Sequence[str] | None = None,
        settings: Iterable[str] | None = None,
    ) -> "Request":
        """Read the options `--problem`, `--start`, `--goal` and `--set`. Raises `InvalidOptionError`."""
        places = {name: list(values) for name, values in (("start", starts), ("goal", goals)) if values}
        return cls(source, problem, places, read_settings(settings or (), places))

    @classmethod
    def stored(cls, source: str, options: Mapping[str, Any], file: str) -> "Request":
        """Return the request for the options that a file keeps: see `options`. Raises `InputFormatError`."""
        kinds = {"problem": str, "starts": list, "goals": list, "settings": list}
        if not isinstance(options, dict) or not all(
            type(value) is kinds.get(name) and all(isinstance(part, str) for part in value)
            for name, value in options.items()
        ):
            raise InputFormatError(
                f"its options are {options!r:.200}, which are not options of solve", source=file
            )
        return cls.of(source, **options)

    def options(self, engine_options: Iterable[str] = ()) -> dict[str, object]:
        """Return the options, without those of an engine, as a file keeps them for `stored`."""
        settings = [f"{name}={value}" for name, value in self.settings.items() if name not in engine_options]
        options = {
            "problem": self.problem,
            "starts": self.places.get("start"),
            "goals": self.places.get("goal"),
            "settings": settings,
        }
        return {name: value for name, value in options.items() if value}

    @cached_property
    def opened(self) -> OpenedSource:
        """The source, which is read when it is first needed. Raises the errors of `OpenedSource.of`."""
        source = read_stdin() if self.source == STDIN else self.source
        return OpenedSource.of(source, self.problem, programs=True)

    @property
    def title(self) -> str:
        """The source as titles name it."""
        return STDIN_NAME if self.source == STDIN else self.source

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The options of the problem; those of all kinds if the kind depends on what the file holds."""
        if self.opened.spec is not None:
            return self.opened.spec.parameters
        return tuple(option for spec in registry().problems.values() for option in spec.parameters)

    def resolve(self, engines: Sequence[str] = ()) -> Task:
        """Load the problem. A setting goes to the engines that have an option of its name, otherwise to the problem.

        If an engine is `auto`, it goes to the problem if that has an option of its name, otherwise to the engine
        chosen.

        Raises `InvalidOptionError` for a name that both the problem and an engine that was named have,
        `UnknownNameError` for a name that neither has, and the errors of `engine_named` and of `searchkit.load`.
        """
        # This loads the file, which may hold engines, too.
        offered = [parameter.name for parameter in self.parameters]
        known_engines = {engine: engine_named(engine) for engine in engines if engine != "auto"}
        named = {name for spec in known_engines.values() for name in _option_names(spec)}
        own = {n: value for n, value in self.settings.items() if n in offered and n not in named}
        if any(each.required for each in self.parameters):  # what is misspelt is named before what is missing
            every = registry().engines.values() if "auto" in engines else ()
            possible = named.union(*map(_option_names, every))
            own |= {n: value for n, value in self.settings.items() if n not in possible}
        places = {name: values[0] if len(values) == 1 else values for name, values in self.places.items()}
        spec, problem = self.opened.load({**places, **own})
        kind, offered = spec.name, [parameter.name for parameter in spec.parameters]
        chosen = {e: choose_engine(problem)[0] if e == "auto" else known_engines[e] for e in engines}
        names = {engine: _option_names(chosen[engine]) for engine in engines}
        has = {f"problem {kind!r}": offered} | {f"engine {chosen[e].name!r}": names[e] for e in engines}
        for name in self.settings:
            owners = [one for one, options in has.items() if name in options]
            if name == "workers" and not owners:
                able = ", ".join(e.name for e in registry().engines.values() if name in _option_names(e))
                raise InvalidOptionError(f"--workers: engines that can share their work are {able}")
            if not owners:
                known = [option for options in has.values() for option in options]
                listing = "; ".join(f"{one} has {', '.join(of) or 'none'}" for one, of in has.items())
                raise UnknownNameError(
                    unknown(f"--set {name}: there is no such option", name, known, listing)
                )
            if name in offered and name not in own:
                raise InvalidOptionError(
                    f"--set {name}: {' and '.join(owners)} have an option of that name; in Python, use "
                    f"searchkit.load(…, {name}=…) or searchkit.solve(…, {name}=…)"
                )
        rest = {name: value for name, value in self.settings.items() if name not in own}
        of_engines = {e: {n: value for n, value in rest.items() if n in names[e]} for e in engines}
        return Task(kind, problem, {e: known_engines.get(e, e) for e in engines}, of_engines)


def read_settings(
    settings: Iterable[str], places: Mapping[str, Sequence[str]] | None = None
) -> dict[str, str]:
    """Return name → value of the options `--set`. Raises `InvalidOptionError`, also for a name in `places`."""
    read: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InvalidOptionError(f"--set {setting}: expected name=value, such as --set ties=fifo")
        if name in read:
            raise InvalidOptionError(
                f"--set {name} is given twice, as {read[name]} and as {value}; give it once"
            )
        if name in (places or {}):
            raise InvalidOptionError(f"--set {name} and --{name} are both given; use --{name} alone")
        read[name] = value
    return read


def engine_named(name: str) -> EngineSpec:
    """Return a registered engine, or that of `FILE.py:NAME`. Raises `UnknownNameError` and `ProgramError`."""
    return registry().engine(name) if split_program(name) is None else engine_spec(object_in(name))


def _option_names(engine: EngineSpec) -> list[str]:
    return [option.name for option in engine.options]


def read_stdin() -> Source:
    """Read standard input to its end, and return it as a source. A terminal is asked for the text.

    Raises `InputFormatError` if it is closed, empty, longer than 256 MiB, or not UTF-8 text.
    """
    if sys.stdin is None:  # closed by the shell, as in `searchkit solve - <&-`
        raise InputFormatError("it is closed; expected a map", source=STDIN_NAME)
    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        typer.echo(f"reading a map from the keyboard; {end} on a new line ends it", err=True)
    source = Source.read_from(sys.stdin, STDIN_NAME)
    if not source.text.strip():
        raise InputFormatError(
            "there is nothing to read; expected a map, as in: searchkit generate maze | searchkit solve -",
            source=STDIN_NAME,
        )
    return source
