"""The hooks, and what they return: the whole contract between searchkit and a plugin.

A plugin is a module with functions of these names, marked with `@hookimpl`, and an entry point in the group
`searchkit` that names the module. The hooks take no arguments and return specifications, which say everything else:
what a kind of problem reads, writes and draws are fields of its `ProblemSpec`. Each is called once, when the plugin is
loaded.
"""

# mypy: disable-error-code="empty-body"
import pluggy

from searchkit.plugin.specs import CommandSpec, EngineSpec, ExecutorSpec, ProblemSpec

GROUP = "searchkit"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kinds of problem of this plugin."""


@hookspec
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines of this plugin."""


@hookspec
def searchkit_commands() -> list[CommandSpec]:
    """Return the commands that this plugin adds to `searchkit`. What commands share is in `searchkit.cli.kit`."""


@hookspec
def searchkit_executors() -> list[ExecutorSpec]:
    """Return the kinds of executors that this plugin adds: `--workers NAME`, `open_executor("NAME")`."""
