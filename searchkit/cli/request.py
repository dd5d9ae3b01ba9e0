"""The problem of SOURCE and its options, and the settings of `--set` for the engines and for the problem."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TextIO

import typer
from attrs import frozen

from searchkit.basics.files import LARGEST_STREAM, as_text
from searchkit.errors import InputFormatError, InvalidOptionError, UnknownNameError, unknown
from searchkit.plugin.files import Source
from searchkit.plugin.loading import OpenedSource
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.search.auto import choose_engine

STDIN = "-"
STDIN_NAME = "<stdin>"
"""How messages name standard input."""


@frozen
class Task:
    """A problem that was loaded, and the options of each engine."""

    kind: str
    """The name of the kind of problem."""
    problem: SearchProblem[Any, Any]
    options: Mapping[str, Mapping[str, Any]]
    """Engine → its options."""


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
        places = {name: options[f"--{name}"] for name in ("start", "goal") if f"--{name}" in options}
        problem, settings = options.get("--problem"), options.get("--set", {})
        lists: list[Any] = [list(settings), list(settings.values())] if isinstance(settings, dict) else [None]
        lists += [*places.values(), [problem or ""]]
        if options.keys() <= {"--problem", "--start", "--goal", "--set"} and all(
            isinstance(values, list) and all(isinstance(value, str) for value in values) for values in lists
        ):
            return cls(source, problem, places, settings)
        raise InputFormatError(
            f"its options are {dict(options)!r:.200}, which are not options of solve", source=file
        )

    def options(self, engine_options: Iterable[str] = ()) -> dict[str, object]:
        """Return the options, without those of an engine, as a file keeps them for `stored`."""
        settings = {name: value for name, value in self.settings.items() if name not in engine_options}
        options: dict[str, object] = {f"--{name}": list(values) for name, values in self.places.items()}
        if self.problem is not None:
            options["--problem"] = self.problem
        if settings:
            options["--set"] = settings
        return options

    @cached_property
    def opened(self) -> OpenedSource:
        """The source, which is read when it is first needed. Raises the errors of `OpenedSource.of`."""
        source = read_stdin() if self.source == STDIN else self.source
        return OpenedSource.of(source, self.problem, programs=True)

    @property
    def title(self) -> str:
        """The source as titles name it."""
        return STDIN_NAME if self.source == STDIN else self.source

    def resolve(self, engines: Sequence[str] = ()) -> Task:
        """Load the problem. A setting goes to the engines that have an option of its name, otherwise to the problem.

        The source is read once, whatever the settings are.

        Raises `InvalidOptionError` for a name that both have, `UnknownNameError` for a name that neither has, and the
        errors of `searchkit.load`.
        """
        # Which options the problem has may be known only when it is loaded, and which engine `auto` chooses, too:
        # then it is loaded a second time, if it has other settings than was assumed.
        options = {engine: _option_names(engine) for engine in engines}
        offered = self._offered(None)
        known = self.opened.parameters is not None  # then the problem itself refuses other names
        first = [name for name in self.settings if (known or name in offered) and not _owners(name, options)]
        kind, problem = self._load(first)
        if "auto" in options and self.settings:
            options["auto"] = _option_names(choose_engine(problem)[0].name)
        own = [name for name in self.settings if not _owners(name, options)]
        if known or kind in registry().problems:
            offered = self._offered(kind)
            for name in self.settings:
                if name in offered and name not in own:
                    raise InvalidOptionError(
                        f"--set {name}: engine {' and '.join(map(repr, _owners(name, options)))} and problem {kind!r} "
                        f"both have an option of that name; the name is ambiguous; in Python, use "
                        f"searchkit.load(…, {name}=…) or searchkit.solve(…, {name}=…)"
                    )
                if name in own and name not in offered:
                    has = {f"problem {kind!r}": offered}
                    for engine in engines:
                        engine = choose_engine(problem)[0].name if engine == "auto" else engine
                        has[f"engine {engine!r}"] = sorted(_option_names(engine))
                    listing = "; ".join(
                        f"{owner} has {', '.join(names) or 'none'}" for owner, names in has.items()
                    )
                    every = [option for names in has.values() for option in names]
                    raise UnknownNameError(
                        unknown(f"--set {name}: there is no such option", name, every, listing)
                    )
        if own != first:
            kind, problem = self._load(own)
        return Task(kind, problem, {engine: self._values(names) for engine, names in options.items()})

    def _load(self, names: Iterable[str]) -> tuple[str, SearchProblem[Any, Any]]:
        return self.opened.load({**self.places, **self._values(names)})

    def _values(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self.settings[name] for name in self.settings if name in set(names)}

    def _offered(self, kind: str | None) -> list[str]:
        """Return the options of the problem, or of all kinds if that depends on the file and the kind is not known."""
        parameters = self.opened.parameters
        if parameters is None:
            specs = registry().problems.values()
            parameters = tuple(p for spec in specs if kind in (None, spec.name) for p in spec.parameters)
        return list(dict.fromkeys(parameter.name for parameter in parameters))


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


def _option_names(engine: str) -> list[str]:
    specs = registry().engines.values() if engine == "auto" else [registry().engine(engine)]
    return [option.name for spec in specs for option in spec.options]


def _owners(name: str, options: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the engines that have an option of this name."""
    return [engine for engine, names in options.items() if name in names]


def read_stdin() -> Source:
    """Read standard input to its end, and return it as a source. A terminal is asked for the text.

    Raises `InputFormatError` if it is closed, empty, longer than 256 MiB, or not UTF-8 text.
    """
    stream = sys.stdin
    if stream is None:  # closed by the shell, as in `searchkit solve - <&-`
        raise InputFormatError("it is closed; expected a map", source=STDIN_NAME)
    if stream.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        typer.echo(f"reading a map from the keyboard; {end} on a new line ends it", err=True)
    text = _read(stream)
    if not text.strip():
        raise InputFormatError(
            "there is nothing to read; expected a map, as in: searchkit generate maze | searchkit solve -",
            source=STDIN_NAME,
        )
    return Source.of(text, STDIN_NAME)


def _read(stream: TextIO) -> str:
    most = LARGEST_STREAM
    binary = getattr(stream, "buffer", None)  # another program may have put a text in its place
    try:
        contents = stream.read(most + 1) if binary is None else binary.read(most + 1)
    except OSError as error:
        raise InputFormatError(f"can't be read: {error.strerror or error}", source=STDIN_NAME) from error
    if len(contents) > most:
        raise InputFormatError(
            f"it has more than {most:,} bytes, which is the most that is read", source=STDIN_NAME
        )
    return contents if isinstance(contents, str) else as_text(contents, STDIN_NAME)
