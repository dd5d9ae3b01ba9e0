"""The commands that plugins add to `searchkit`, by the hook `searchkit_commands`."""

import warnings
from collections.abc import Collection
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

    def target(self) -> Any:
        """Import the command: a Typer app or a function. Raises `PluginError` if that fails."""
        module, _, name = self.spec.target.partition(":")
        where = f"command {self.spec.name!r} of plugin {self.plugin!r}"
        try:
            target = getattr(import_module(module), name)
        except Exception as error:
            raise PluginError(
                f"{where} can't be imported from {self.spec.target!r}: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(target, typer.Typer) and not callable(target):
            raise PluginError(
                f"{where}: {self.spec.target!r} is {target!r:.60}, expected a Typer app or a function"
            )
        return target


def plugin_commands(taken: Collection[str]) -> dict[str, PluginCommand]:
    """Ask the plugins for their commands; return them by name.

    A name that is `taken` by a command of searchkit, and a name that several plugins bring, is left out. A
    `PluginWarning` names the plugins; it also names a plugin whose hook raises or returns something else.
    """
    found: dict[str, list[PluginCommand]] = {}
    for plugin, call in registry().calls("searchkit_commands"):
        try:
            specs = call()
            if not isinstance(specs, list) or not all(isinstance(spec, CommandSpec) for spec in specs):
                raise PluginError(f"returned {specs!r:.100}, expected a list of CommandSpec")
        except Exception as error:
            fault = error if isinstance(error, PluginError) else f"raised {type(error).__name__}: {error}"
            _warn(f"the commands of plugin {plugin!r} are left out: searchkit_commands {fault}")
            continue
        for spec in specs:
            found.setdefault(spec.name, []).append(PluginCommand(plugin, spec))
    for name, commands in found.items():
        plugins = [command.plugin for command in commands]
        if name in taken:
            _warn(
                f"plugin {plugins[0]!r} brings a command {name!r}, and searchkit has one of its own; the plugin's "
                "command is left out"
            )
        elif len(commands) > 1:
            _warn(f"command {name!r} is brought by the plugins {' and '.join(plugins)}; it is left out")
    return {name: brought[0] for name, brought in found.items() if name not in taken and len(brought) == 1}


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=3)
