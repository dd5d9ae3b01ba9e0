"""Finding plugins and what they declare. All plugins come from the entry-point group `searchkit`."""

import os
import reprlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import Any, Literal, NoReturn, get_args

from attrs import evolve, field, frozen

from searchkit.errors import PluginError, PluginWarning, UnknownNameError, unknown
from searchkit.plugin import hookspecs
from searchkit.plugin.hookspecs import GROUP
from searchkit.plugin.specs import CommandSpec, EngineSpec, ExecutorSpec, ProblemSpec
from searchkit.problem import SearchProblem

DISABLE_VARIABLE = "SEARCHKIT_DISABLE_PLUGINS"
"""The environment variable with the names of plugins to block, separated by commas."""
HOOKS: Mapping[str, type[Any]] = {
    name: get_args(hook.__annotations__["return"])[0]
    for name, hook in vars(hookspecs).items()
    if name.startswith(f"{GROUP}_")
}
"""Hook → the class of the specs in the list that it returns."""


@frozen
class PluginRecord:
    """One plugin, and whether it is used."""

    name: str
    """The name of its entry point, by which it can be blocked."""
    status: Literal["active", "failed", "blocked"]
    declared: Mapping[str, list[Any]] = field(factory=dict)
    """Hook → the specs that it declares."""
    reason: str = ""
    """Why it failed, in one line; "" if it did not."""
    package: Distribution | None = field(default=None, repr=False)
    """Its distribution; None if it is in none."""


@frozen
class Registry:
    """All plugins that were found, and what they declare, by name."""

    plugins: tuple[PluginRecord, ...]
    problems: Mapping[str, ProblemSpec]
    engines: Mapping[str, EngineSpec]
    commands: Mapping[str, CommandSpec]
    executors: Mapping[str, ExecutorSpec]

    def engine(self, name: str) -> EngineSpec:
        """Return the engine of that name. Raises `UnknownNameError`."""
        if name in self.engines:  # tiny searches look one up, too
            return self.engines[name]
        aliases = {alias: spec.name for spec in self.engines.values() for alias in spec.aliases}
        return self._refuse("engine", name, self.engines, aliases)

    def problem(self, name: str) -> ProblemSpec:
        """Return the kind of problem of that name. Raises `UnknownNameError`."""
        return self.problems.get(name) or self._refuse("problem", name, self.problems, {})

    def problem_of(self, problem: SearchProblem[Any, Any]) -> ProblemSpec | None:
        """Return the kind of a problem: the one that has its class, or else the next one of its base classes."""
        specs = {kind: spec for spec in reversed([*self.problems.values()]) for kind in spec.classes}
        return next((specs[kind] for kind in type(problem).__mro__ if kind in specs), None)

    def _refuse(self, kind: str, name: str, names: Iterable[str], aliases: Mapping[str, str]) -> NoReturn:
        """Raise the error for a name that nothing of this kind has."""
        failed = "".join(f"; plugin {each.name!r} failed to load" for each in self.plugins if each.reason)
        listing = f"see: searchkit {kind}s{failed and f'{failed}, see: searchkit plugins'}"
        raise UnknownNameError(unknown(f"there is no {kind} {name!r}", name, names, listing, aliases))


def ask(problem: SearchProblem[Any, Any], member: Literal["places", "contract", "write"]) -> Any:
    """Return what the kind of a problem answers; None if it has no answer, or raises: see `guarded`."""
    spec = registry().problem_of(problem)
    function = getattr(spec, member, None)
    return guarded(f"{member} of problem {spec.name!r}", function)(problem) if spec and function else None


def said_by(error: BaseException) -> str:
    """Return the class and the text of an exception; one of attrs has the attribute and more besides the text."""
    text = error.args[0] if len(error.args) > 1 and isinstance(error.args[0], str) else error
    return f"{type(error).__name__}: {text}"


def guarded(what: str, function: Callable[[Any], Any], neutral: Any = None) -> Callable[[Any], Any]:
    """Return a function of a plugin or of a problem that never raises.

    The first exception becomes a `PluginWarning`. A call that raises returns the neutral value.
    """
    warned: list[str] = []

    def call(argument: Any) -> Any:
        try:
            return function(argument)
        except (Exception, SystemExit) as error:
            if not warned:
                warned.append(f"{what} raised {said_by(error)}, for {reprlib.repr(argument)}")
                warnings.warn(warned[0], PluginWarning, stacklevel=3)
            return neutral

    return call


_in_use: list[Registry | None] = [None]
"""The registries in use, the last one now; None until the installed plugins are loaded."""


def registry() -> Registry:
    """Return the registry in use: that of the innermost `use_registry`, by default that of the installed plugins.

    The installed plugins are loaded at the first call. If several threads load them at the same time, all get the
    registry of the first one that is done. There is no lock, because a plugin may be imported by another thread, which
    would hold the lock of its import.
    """
    used = _in_use[-1]
    if used is None:
        disabled = os.environ.get(DISABLE_VARIABLE, "").split(",")
        loaded = load_registry(frozenset(name.strip() for name in disabled))
        used = _in_use[-1] = _in_use[-1] or loaded
        for plugin in loaded.plugins if used is loaded else ():
            if plugin.reason:
                text = f"plugin {plugin.name!r} was left out: {plugin.reason}"
                warnings.warn(text, PluginWarning, stacklevel=3)
    return used


@contextmanager
def use_registry(replacement: Registry | None = None) -> Iterator[None]:
    """Use another registry in all threads while the block runs.

    Args:
        replacement: the registry to use; None for the installed plugins, loaded anew at the next use.

    """
    _in_use.append(replacement)
    try:
        yield
    finally:
        _in_use.pop()


def load_registry(
    disabled: frozenset[str] = frozenset(), found: Iterable[EntryPoint] | None = None
) -> Registry:
    """Load the plugins `found`, by default those of all installed packages, except those `disabled`.

    A plugin that can't be loaded, has an unknown hook, returns something else than specifications, or declares a name
    or suffix in use, is left out and recorded with the reason. Other plugins are not affected. Names belong to
    the engines of searchkit first, and then to plugins in the order of their own names.
    """
    points = entry_points(group=GROUP) if found is None else found
    owners: dict[tuple[str, str], str] = {}
    in_turn = sorted(points, key=lambda point: (not point.value.startswith("searchkit."), point.name))
    loaded = [_loaded(point, disabled, owners) for point in in_turn]
    plugins = sorted(loaded, key=lambda record: record.name)
    of = ({spec.name: spec for each in loaded for spec in each.declared.get(hook, ())} for hook in HOOKS)
    return Registry(tuple(plugins), *of)


def _loaded(point: EntryPoint, disabled: frozenset[str], owners: dict[tuple[str, str], str]) -> PluginRecord:
    """Load a plugin, unless it is disabled, and return its record. `owners` are the plugins that use a name."""
    record = PluginRecord(point.name, "active", package=point.dist)
    if point.name in disabled:
        return evolve(record, status="blocked")
    try:
        declared = _declared(vars(point.load()))
        names = {(hook[len(GROUP) + 1 : -1], spec.name) for hook, specs in declared.items() for spec in specs}
        names.add(("plugin", point.name))
        for form in [form for spec in declared.get("searchkit_problems", ()) for form in spec.formats]:
            if isinstance(form, str) and not form.startswith("."):
                raise PluginError(
                    f"format {form!r}: expected a suffix with its dot, '.{form}', or a function"
                )
            names |= {("suffix", form)} if isinstance(form, str) else set()
        for kind, name in sorted(names & owners.keys()):
            raise PluginError(
                f"{kind} {name!r} is declared by plugin {owners[kind, name]!r} already; rename it, or block one of the "
                f"two, as in {DISABLE_VARIABLE}={point.name}"
            )
    except BaseException as error:  # a plugin may raise anything on import, SystemExit included
        if KeyboardInterrupt in (type(error), type(error.__cause__)):  # a class wraps it before Python 3.12
            raise KeyboardInterrupt from error
        where = f"; import {point.module} in Python to see where"
        reason = str(error) if isinstance(error, PluginError) else f"{said_by(error)}{where}"
        return evolve(record, status="failed", reason=reason)
    owners |= dict.fromkeys(names, point.name)
    return evolve(record, declared=declared)


def _declared(module: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return hook → the specs that it returns, for the hooks in a module. Raises `PluginError`."""
    declared = {}
    marked = {name for name, found in module.items() if hasattr(found, f"{GROUP}_impl")}
    for name in sorted(marked | (HOOKS.keys() & module.keys())):
        if name not in HOOKS:
            there_are = f"there are {', '.join(HOOKS)}"
            raise PluginError(unknown(f"there is no hook {name!r}", name, HOOKS, there_are))
        if name not in marked:
            raise PluginError(f"{name} has no @hookimpl above it")
        specs = declared[name] = module[name]()
        if not isinstance(specs, list) or not all(isinstance(spec, HOOKS[name]) for spec in specs):
            raise PluginError(f"{name} returned {specs!r:.100}, expected a list of {HOOKS[name].__name__}")
    return declared


def available_engines() -> dict[str, EngineSpec]:
    """Return the engines that can be used, by name: the built-in ones and those of installed plugins."""
    return dict(registry().engines)


def available_problems() -> dict[str, ProblemSpec]:
    """Return the kinds of problem that can be used, by name."""
    return dict(registry().problems)
