"""What was asked for: the problem loaded, and each `--set` handed to whom it belongs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from searchkit.errors import InvalidOptionError, SearchkitError, UnknownNameError, unknown
from searchkit.plugin.loading import load_named
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.search.auto import choose_engine


@frozen
class Task:
    """A problem, and what each engine is to be told."""

    kind: str
    """The name of the kind of problem."""
    problem: SearchProblem[Any, Any]
    options: Mapping[str, Mapping[str, Any]]
    """Engine → its options."""


@frozen
class Request:
    """A source, and the options that were given with it."""

    source: str
    problem: str | None
    places: Mapping[str, Sequence[str]]
    """`start` and `goal`, as far as they were given."""
    settings: Mapping[str, str]

    @classmethod
    def of(
        cls,
        source: str,
        problem: str | None,
        starts: Sequence[str] | None,
        goals: Sequence[str] | None,
        settings: Iterable[str] | None,
    ) -> "Request":
        """Read the options of the command line. Raises `InvalidOptionError`."""
        places = {name: list(values) for name, values in (("start", starts), ("goal", goals)) if values}
        return cls(source, problem, places, read_settings(settings or (), places))

    def resolve(self, engines: Sequence[str]) -> Task:
        """Load the problem and share out the settings: to the engines that have such an option, else to the problem.

        Raises `InvalidOptionError` for a name that both have, `UnknownNameError` for one that neither has, and what
        `searchkit.load` raises.
        """
        known = {name: _option_names(name) for name in engines}
        of_engines = {name for name in self.settings if any(name in options for options in known.values())}
        kind, problem = self._load(engines, of_engines)
        if "auto" in engines and of_engines:
            # Which options `auto` has is known only now that it can choose; until here it had all there are.
            known["auto"] = _option_names(choose_engine(problem)[0])
            kept = {name for name in of_engines if any(name in options for options in known.values())}
            if kept != of_engines:
                of_engines = kept
                kind, problem = self._load(engines, of_engines)
        _refuse_shared(kind, of_engines, known)
        return Task(
            kind,
            problem,
            {
                engine: {name: self.settings[name] for name in self.settings if name in of_engines & options}
                for engine, options in known.items()
            },
        )

    def _load(self, engines: Iterable[str], of_engines: set[str]) -> tuple[str, SearchProblem[Any, Any]]:
        rest = {name: value for name, value in self.settings.items() if name not in of_engines}
        try:
            return load_named(self.source, self.problem, {**self.places, **rest})
        except SearchkitError:
            self._refuse_unknown(engines, rest)
            raise

    def _refuse_unknown(self, engines: Iterable[str], rest: Iterable[str]) -> None:
        """Raise the error for settings that nobody knows, if there are any: it lists what the two sides know."""
        try:
            kind, problem = load_named(self.source, self.problem, self.places)
        except SearchkitError:
            return  # the source itself is at fault, and that error is the one to show
        spec = registry().problems.get(kind)
        if spec is None:
            return
        names = [choose_engine(problem)[0] if engine == "auto" else engine for engine in engines]
        known = {f"problem {kind!r}": [parameter.name for parameter in spec.parameters]}
        known |= {f"engine {engine!r}": sorted(_option_names(engine)) for engine in names}
        of_other_problems = {
            parameter.name for other in registry().problems.values() for parameter in other.parameters
        } - _option_names("auto")
        for name in rest:
            if name not in known[f"problem {kind!r}"] and (self.problem or name not in of_other_problems):
                listing = "; ".join(
                    f"{owner} has {', '.join(options) or 'none'}" for owner, options in known.items()
                )
                options = [option for of_one in known.values() for option in of_one]
                raise UnknownNameError(
                    unknown(f"--set {name}: there is no such option", name, options, listing)
                )


def read_settings(settings: Iterable[str], places: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return name → value of the options `--set`. Raises `InvalidOptionError`."""
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
        if name in places:
            raise InvalidOptionError(f"--set {name} and --{name} are both given; use --{name} alone")
        read[name] = value
    return read


def _option_names(engine: str) -> set[str]:
    specs = registry().engines.values() if engine == "auto" else [registry().engine(engine)]
    return {option.name for spec in specs for option in spec.options}


def _refuse_shared(kind: str, names: Iterable[str], known: Mapping[str, set[str]]) -> None:
    spec = registry().problems.get(kind)
    offered = set() if spec is None else {parameter.name for parameter in spec.parameters}
    for name in sorted(set(names) & offered):
        owners = " and ".join(f"engine {engine!r}" for engine, options in known.items() if name in options)
        raise InvalidOptionError(
            f"--set {name}: {owners} and problem {kind!r} both have an option of that name, so it is not plain which "
            f"is meant; in Python, say it with searchkit.load(…, {name}=…) or searchkit.solve(…, {name}=…)"
        )
