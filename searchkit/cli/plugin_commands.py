"""The commands that plugins add to `searchkit`, by the hook `searchkit_commands`."""

import warnings
from collections.abc import Collection, Iterator
from importlib import import_module
from typing import Any

import typer
from attrs import frozen

from searchkit.errors import PluginError, PluginWarning
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import CommandSpec


@frozen
class PluginCommand:
    """A command, and the plugin that brings it."""

    plugin: str
    spec: CommandSpec

    def app(self) -> typer.Typer:
        """Import the command. Raises `PluginError` if that fails."""
        module, _, name = self.spec.target.partition(":")
        try:
            target: Any = getattr(import_module(module), name)
        except Exception as error:
            raise PluginError(
                f"command {self.spec.name!r} of plugin {self.plugin!r} can't be imported from {self.spec.target!r}: "
                f"{type(error).__name__}: {error}"
            ) from error
        if isinstance(target, typer.Typer):
            return target
        if not callable(target):
            raise PluginError(
                f"command {self.spec.name!r} of plugin {self.plugin!r}: {self.spec.target!r} is {target!r:.60}, "
                "expected a Typer app or a function"
            )
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command()(target)
        return app


def plugin_commands(taken: Collection[str]) -> dict[str, PluginCommand]:
    """Ask the plugins for their commands; return them by name.

    A name that is `taken` by a command of searchkit, and a name that several plugins bring, is left out. A
    `PluginWarning` names the plugins; it also names a plugin whose hook raises or returns something else.
    """
    found: dict[str, list[PluginCommand]] = {}
    for command in _brought():
        found.setdefault(command.spec.name, []).append(command)
    used = {}
    for name, commands in found.items():
        plugins = [command.plugin for command in commands]
        if name in taken:
            _warn(
                f"plugin {plugins[0]!r} brings a command {name!r}, and searchkit has one of its own; the plugin's "
                "command is left out"
            )
        elif len(commands) > 1:
            _warn(f"command {name!r} is brought by the plugins {' and '.join(plugins)}; it is left out")
        else:
            used[name] = commands[0]
    return used


def _brought() -> Iterator[PluginCommand]:
    for plugin, call in registry().calls("searchkit_commands"):
        try:
            specs = call()
        except Exception as error:
            _warn(
                f"the commands of plugin {plugin!r} are left out: searchkit_commands raised "
                f"{type(error).__name__}: {error}"
            )
            continue
        if not isinstance(specs, list) or not all(isinstance(spec, CommandSpec) for spec in specs):
            _warn(
                f"the commands of plugin {plugin!r} are left out: searchkit_commands returned {specs!r:.100}, expected "
                "a list of CommandSpec"
            )
            continue
        yield from (PluginCommand(plugin, spec) for spec in specs)


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=3)
