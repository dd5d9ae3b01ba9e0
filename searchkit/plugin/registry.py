"""Finding plugins and their engines and problems. All plugins come from the entry-point group `searchkit`."""

import os
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, TypeVar

import pluggy
from attrs import evolve, field, frozen

from searchkit.errors import PluginError, PluginWarning, UnknownNameError, unknown
from searchkit.plugin import hookspecs
from searchkit.plugin.specs import EngineSpec, ProblemSpec

DISABLE_VARIABLE = "SEARCHKIT_DISABLE_PLUGINS"
"""The environment variable with the names of plugins to block, separated by commas."""

Spec = TypeVar("Spec", EngineSpec, ProblemSpec)
Answer = TypeVar("Answer")


@frozen
class PluginRecord:
    """One plugin, and whether it is used."""

    name: str
    """The name of its entry point, by which it can be blocked."""
    distribution: str
    version: str
    status: Literal["active", "failed", "blocked"]
    hooks: tuple[str, ...] = ()
    reason: str = ""
    """Why it failed, in one line; "" if it did not."""
    trace: str = ""
    """The traceback of the failure; "" if there was none."""


@frozen
class Registry:
    """All plugins that were found, and their engines and problems, by name."""

    plugins: tuple[PluginRecord, ...]
    engines: Mapping[str, EngineSpec]
    problems: Mapping[str, ProblemSpec]
    clashes: Mapping[tuple[str, str], tuple[str, ...]]
    """(kind, name) → the plugins that use the same name; none of these engines or problems can be used."""
    _manager: pluggy.PluginManager = field(repr=False)

    def engine(self, name: str) -> EngineSpec:
        """Return the engine of that name. Raises `UnknownNameError`, or `PluginError` if several plugins use it."""
        if name in self.engines:
            return self.engines[name]
        aliases = {alias: spec.name for spec in self.engines.values() for alias in spec.aliases}
        raise self._missing("engine", self.engines, name, aliases)

    def problem(self, name: str) -> ProblemSpec:
        """Return the kind of problem of that name. Raises `UnknownNameError` or `PluginError`, as `engine` does."""
        if name in self.problems:
            return self.problems[name]
        raise self._missing("problem", self.problems, name, {})

    def calls(self, hook: str, **arguments: object) -> Iterator[tuple[str, Callable[[], Any]]]:
        """Yield (plugin, function) for each plugin that has the hook, sorted by name; the function calls the hook.

        The function raises what the hook raises, but `PluginError` for `SystemExit`.
        """
        for implementation in sorted(
            getattr(self._manager.hook, hook).get_hookimpls(), key=lambda i: i.plugin_name
        ):
            taken = {name: arguments[name] for name in implementation.argnames}
            called = partial(implementation.function, **taken)
            yield implementation.plugin_name, partial(_called, implementation.plugin_name, hook, called)

    def first(
        self, hook: str, expected: type[Answer], task: str, **arguments: object
    ) -> tuple[str, Answer | None]:
        """Return the first result of a hook that is not None, in the order of plugin names, and the plugin's name.

        If there is none, return ("", None). If a plugin raises, or returns anything but an instance of `expected` or
        None, a `PluginWarning` says that it could not do its `task`, and the next plugin is called.
        """
        for plugin, call in self.calls(hook, **arguments):
            try:
                answer = call()
            except Exception as error:
                reason = f"raised {type(error).__name__}: {error}"
            else:
                if isinstance(answer, expected):
                    return plugin, answer
                if answer is None:
                    continue
                where = f"{expected.__module__}.{expected.__name__}"
                reason = f"returned {answer!r}, expected a {where} or None"
            warnings.warn(f"plugin {plugin!r} could not {task}: it {reason}", PluginWarning, stacklevel=4)
        return "", None

    def _missing(
        self, kind: str, names: Iterable[str], name: str, aliases: Mapping[str, str]
    ) -> PluginError | UnknownNameError:
        """Return the error for a name that is not known, or that several plugins use."""
        if (kind, name) in self.clashes:
            owners = self.clashes[kind, name]
            return PluginError(
                f"{kind} {name!r} is brought by several plugins: {' and '.join(owners)}; "
                f"block all but one of them with {DISABLE_VARIABLE}={owners[-1]}"
            )
        hint = "".join(
            f"; plugin {p.name!r} failed to load, see: searchkit plugins" for p in self.plugins if p.reason
        )
        listing = f"there are {', '.join(names) or 'none'}{hint}"
        return UnknownNameError(unknown(f"there is no {kind} {name!r}", name, names, listing, aliases))


def _called(plugin: str, hook: str, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except SystemExit as error:
        raise PluginError(f"plugin {plugin!r} called sys.exit({error.code!r}) in {hook}") from error


_in_use: list[Registry | dict[str, Registry]] = [{}]
"""The registries in use, the last one now. A dictionary has those of the installed plugins, by `DISABLE_VARIABLE`."""


def registry() -> Registry:
    """Return the registry in use: that of the innermost `use_registry`, by default that of the installed plugins.

    The installed plugins are loaded at the first call, and again when other plugins are blocked. Several threads may
    load them at the same time; all get the registry of the first one that is done. There is no lock, because a plugin
    may be imported by another thread, which would hold the lock of its import.
    """
    used = _in_use[-1]
    if isinstance(used, Registry):
        return used
    disabled = os.environ.get(DISABLE_VARIABLE, "")
    if disabled not in used:
        loaded = load_registry(frozenset(name.strip() for name in disabled.split(",") if name.strip()))
        for plugin in loaded.plugins if used.setdefault(disabled, loaded) is loaded else ():
            if plugin.status == "failed":
                warnings.warn(
                    f"plugin {plugin.name!r} was left out: {plugin.reason}; details: searchkit plugins --traceback",
                    PluginWarning,
                    stacklevel=3,
                )
    return used[disabled]


@contextmanager
def use_registry(replacement: Registry | None = None) -> Iterator[None]:
    """Use another registry until the end of the block, in all threads of this process.

    Args:
        replacement: the registry to use; None for the installed plugins, loaded anew at the next use.

    """
    _in_use.append({} if replacement is None else replacement)
    try:
        yield
    finally:
        _in_use.pop()


def load_registry(
    disabled: frozenset[str] = frozenset(), found: Iterable[EntryPoint] | None = None
) -> Registry:
    """Load the plugins `found`, by default those of all installed packages, except those `disabled`.

    A plugin that can't be loaded, has an unknown hook, or returns something else than specifications is left out and
    recorded with the reason. Other plugins are not affected.
    """
    manager = pluggy.PluginManager(hookspecs.GROUP)
    manager.add_hookspecs(hookspecs)
    points = sorted(
        entry_points(group=hookspecs.GROUP) if found is None else found, key=lambda point: point.name
    )
    records: list[PluginRecord] = []
    engines: list[tuple[str, EngineSpec]] = []
    problems: list[tuple[str, ProblemSpec]] = []
    read: dict[
        int, tuple[str, str]
    ] = {}  # of a distribution: it takes milliseconds, and many plugins come in one
    for point in points:
        if point.dist is not None and id(point.dist) not in read:
            read[id(point.dist)] = point.dist.name, point.dist.version
        record = PluginRecord(
            point.name,
            *read.get(id(point.dist), ("", "")),
            "blocked" if point.name in disabled else "active",
        )
        if record.status == "active":
            try:
                hooks, own_engines, own_problems = _register(manager, point)
            except BaseException as error:  # a plugin may raise anything on import, SystemExit included
                if isinstance(error, KeyboardInterrupt):
                    raise
                manager.unregister(name=point.name) if manager.has_plugin(point.name) else None
                reason = (
                    f"{type(error).__name__}: {error}" if not isinstance(error, PluginError) else str(error)
                )
                record = evolve(record, status="failed", reason=reason, trace=traceback.format_exc())
            else:
                record = evolve(record, hooks=hooks)
                engines += [(point.name, spec) for spec in own_engines]
                problems += [(point.name, spec) for spec in own_problems]
        records.append(record)
    engine_names, engine_clashes = _by_name("engine", engines)
    problem_names, problem_clashes = _by_name("problem", problems)
    return Registry(tuple(records), engine_names, problem_names, engine_clashes | problem_clashes, manager)


def _register(
    manager: pluggy.PluginManager, point: EntryPoint
) -> tuple[tuple[str, ...], list[EngineSpec], list[ProblemSpec]]:
    """Load one plugin; return its hooks, engines and problems."""
    if manager.has_plugin(point.name):
        raise PluginError(
            f"another plugin is called {point.name!r} too; rename the entry point of one of them"
        )
    module = point.load()
    manager.register(module, name=point.name)
    named = {name: hook for name, hook in vars(manager.hook).items() if name.startswith("searchkit_")}
    for name, hook in named.items():
        if not hook.has_spec() and any(not found.optionalhook for found in hook.get_hookimpls()):
            known = [each for each in named if named[each].has_spec()]
            raise PluginError(
                unknown(f"there is no hook {name!r}", name, known, f"there are {', '.join(known)}")
            )
    hooks = tuple(sorted(caller.name for caller in manager.get_hookcallers(module) or ()))
    return (
        hooks,
        _specs(module, "searchkit_engines", EngineSpec, hooks),
        _specs(module, "searchkit_problems", ProblemSpec, hooks),
    )


def _specs(module: Any, hook: str, kind: type[Spec], hooks: tuple[str, ...]) -> list[Spec]:
    if hook not in hooks:
        return []
    specs = getattr(module, hook)()
    if not isinstance(specs, list) or not all(isinstance(spec, kind) for spec in specs):
        raise PluginError(f"{hook} returned {specs!r}, expected a list of {kind.__name__}")
    return specs


def _by_name(
    kind: str, brought: list[tuple[str, Spec]]
) -> tuple[dict[str, Spec], dict[tuple[str, str], tuple[str, ...]]]:
    owners: dict[str, list[str]] = {}
    for plugin, spec in brought:
        owners.setdefault(spec.name, []).append(plugin)
    clashes = {(kind, name): tuple(plugins) for name, plugins in owners.items() if len(plugins) > 1}
    return {spec.name: spec for _, spec in brought if (kind, spec.name) not in clashes}, clashes


def available_engines() -> dict[str, EngineSpec]:
    """Return the engines that can be used, by name: the built-in ones and those of installed plugins."""
    return dict(registry().engines)


def available_problems() -> dict[str, ProblemSpec]:
    """Return the kinds of problem that can be used, by name."""
    return dict(registry().problems)
