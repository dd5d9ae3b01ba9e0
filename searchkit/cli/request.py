"""The problem of SOURCE and its options, and the settings of `--set` for the engines and for the problem."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from searchkit.cli.terminal.stdin import STDIN, STDIN_NAME, read_stdin
from searchkit.errors import InvalidOptionError, SearchkitError, UnknownNameError, unknown
from searchkit.plugin.loading import OpenedSource
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import Parameter
from searchkit.problem import SearchProblem
from searchkit.search.auto import choose_engine


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
        known = {name: _option_names(name) for name in engines}
        source = self.opened
        if not self.settings:
            return Task(*source.load(self.places), {engine: {} for engine in engines})
        split = split_names(self.settings, known.values(), _offered(source, None))
        if split.unknown:
            self._refuse(source, engines, split.unknown)
        try:
            kind, problem = source.load({**self.places, **self._values(split.problem + split.unknown)})
        except SearchkitError:
            if not split.unknown:
                self._refuse(source, engines, split.problem)
            raise
        if "auto" in engines and split.engines:
            # Only now can `auto` choose an engine; until here, the options of all engines were taken as its own.
            known["auto"] = _option_names(choose_engine(problem)[0])
            chosen = split_names(self.settings, known.values(), _offered(source, kind))
            if chosen.engines != split.engines:
                dropped = [name for name in chosen.unknown if name in split.engines]
                _refuse_unknown(source, kind, problem, engines, dropped)
                split = chosen
                kind, problem = source.load({**self.places, **self._values(split.problem + split.unknown)})
        _refuse_shared(source, kind, split.engines, known)
        of_engines = {engine: self._values(options & {*split.engines}) for engine, options in known.items()}
        return Task(kind, problem, of_engines)

    def _values(self, names: Container[str]) -> dict[str, str]:
        return {name: value for name, value in self.settings.items() if name in names}

    def _refuse(self, source: OpenedSource, engines: Iterable[str], names: Iterable[str]) -> None:
        """Raise `UnknownNameError`, with a list of the options, for a setting that neither problem nor engine has."""
        try:
            kind, problem = source.load(self.places)
        except SearchkitError:
            return  # the source itself is faulty, and the caller reports that error
        others = () if source.parameters is not None else _offered(source, None) - _option_names("auto")
        _refuse_unknown(source, kind, problem, engines, [name for name in names if name not in others])


@frozen
class Split:
    """The names of settings: options of engines, of the problem, or of neither."""

    engines: tuple[str, ...]
    """Options of engines."""
    problem: tuple[str, ...]
    """Options of the problem, as far as its kind is known."""
    unknown: tuple[str, ...]
    """Options of neither."""


def split_names(names: Iterable[str], of_engines: Iterable[Container[str]], offered: Container[str]) -> Split:
    """Return whose options the settings are; a name that engines and problem share counts as the engines'.

    Args:
        names: the names of the settings.
        of_engines: the names of the options of each engine.
        offered: the names of the options that the problem may have.

    """
    options = list(of_engines)
    given = list(names)
    engines = [name for name in given if any(name in known for known in options)]
    problem = [name for name in given if name not in engines and name in offered]
    return Split(
        tuple(engines), tuple(problem), tuple(name for name in given if name not in engines + problem)
    )


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


def _option_names(engine: str) -> set[str]:
    specs = registry().engines.values() if engine == "auto" else [registry().engine(engine)]
    return {option.name for spec in specs for option in spec.options}


def _offered(source: OpenedSource, kind: str | None) -> set[str]:
    """Return the options of the problem; of a file, those of its kind; of all kinds if that is None: not known yet."""
    parameters = _parameters(source, kind)
    if parameters is None:
        parameters = [] if kind else [p for spec in registry().problems.values() for p in spec.parameters]
    return {parameter.name for parameter in parameters}


def _parameters(source: OpenedSource, kind: str | None) -> Sequence[Parameter] | None:
    if source.parameters is not None:
        return source.parameters
    spec = registry().problems.get(kind or "")
    return None if spec is None else spec.parameters


def _refuse_unknown(
    source: OpenedSource,
    kind: str,
    problem: SearchProblem[Any, Any],
    engines: Iterable[str],
    names: Iterable[str],
) -> None:
    """Raise `UnknownNameError` for the first of the names that is not an option of this kind of problem.

    A kind that no plugin describes may have any options.
    """
    parameters = _parameters(source, kind)
    if parameters is None:
        return
    chosen = [choose_engine(problem)[0] if engine == "auto" else engine for engine in engines]
    known = {f"problem {kind!r}": [parameter.name for parameter in parameters]}
    known |= {f"engine {engine!r}": sorted(_option_names(engine)) for engine in chosen}
    for name in names:
        if name not in known[f"problem {kind!r}"]:
            listing = "; ".join(
                f"{owner} has {', '.join(options) or 'none'}" for owner, options in known.items()
            )
            options = [option for of_one in known.values() for option in of_one]
            raise UnknownNameError(unknown(f"--set {name}: there is no such option", name, options, listing))


def _refuse_shared(
    source: OpenedSource, kind: str, names: Iterable[str], known: Mapping[str, set[str]]
) -> None:
    offered = _offered(source, kind)
    for name in sorted(set(names) & offered):
        owners = " and ".join(f"engine {engine!r}" for engine, options in known.items() if name in options)
        raise InvalidOptionError(
            f"--set {name}: {owners} and problem {kind!r} both have an option of that name, so it is not plain which "
            f"is meant; in Python, say it with searchkit.load(…, {name}=…) or searchkit.solve(…, {name}=…)"
        )
