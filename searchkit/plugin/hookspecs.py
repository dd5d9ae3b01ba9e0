"""The hooks, and what they return: the whole contract between searchkit and a plugin.

A plugin is a module with functions of these names, marked `@hookimpl`, and an entry point in the group
`searchkit` that names the module. It may take fewer arguments than a hook offers.
"""

from collections.abc import Mapping

import pluggy

from searchkit.plugin.drawing import ContractedGraph, Drawing
from searchkit.plugin.files import Precomputed, Scenario, Source, Written
from searchkit.plugin.specs import CommandSpec, EngineSpec, ProblemSpec
from searchkit.problem import Action, SearchProblem, State

GROUP = "searchkit"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kinds of problem that this plugin brings."""
    raise NotImplementedError


@hookspec
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines that this plugin brings."""
    raise NotImplementedError


@hookspec
def searchkit_commands() -> list[CommandSpec]:
    """Return the commands that this plugin adds to `searchkit`.

    A command is a function with Typer's annotations, or a Typer app. It is imported when it is used: the list of
    commands needs only the specs. `searchkit.cli.kit` has what commands share: options, the problem to load, limits,
    output, progress, Ctrl-C and exit codes. A name that searchkit or another plugin uses is left out, with a
    `PluginWarning` that names the plugin; so are the commands of a plugin whose hook raises.
    """
    raise NotImplementedError


@hookspec
def searchkit_load(
    source: Source, format: str | None, options: dict[str, object]
) -> SearchProblem[State, Action] | None:
    """Return the problem that `source` describes, or None where it is not of this plugin's format.

    `format` is the name of the problem that the user asked for, None where the plugin has to tell by the
    text. `options` are the user's, unread: `ProblemSpec.parse` reads them. Raise `InputFormatError` for a
    text that is of this format but faulty: it is reported only if no other plugin can read the text.
    """
    raise NotImplementedError


@hookspec
def searchkit_scenario(source: Source, map: str | None, options: dict[str, object]) -> Scenario | None:
    """Return the queries with known answers that `source` lists, or None where it is not of this format.

    `map` is the file that the queries are asked of, None where the scenario itself names it.
    """
    raise NotImplementedError


@hookspec
def searchkit_precompute(
    source: Source, format: str | None, options: dict[str, object]
) -> Precomputed | None:
    """Return what can be worked out once for all problems that `source` describes, or None where there is nothing.

    The arguments are those of `searchkit_load`; start and goal may be missing. `searchkit precompute` writes it
    beside the source. The plugin reads it back when an engine asks for it, and raises `InputFormatError` where it does
    not fit.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def searchkit_render(
    problem: SearchProblem[State, Action],
    path: tuple[State, ...],
    expanded: frozenset[State],
    details: Mapping[str, object],
) -> Drawing | None:
    """Return a drawing of the problem with a path (empty where there is none) and the expanded states on it.

    `details` are those of the result: what some engines report beyond the statistics.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def searchkit_frames(problem: SearchProblem[State, Action], path: tuple[State, ...]) -> list[Drawing] | None:
    """Return one drawing for each state of a path, all of one size, or None for a problem that this plugin can't draw.

    Without this hook, the frames are what `searchkit_render` draws of the first 1, 2, 3, … states of the path.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def searchkit_contract(problem: SearchProblem[State, Action]) -> ContractedGraph | None:
    """Return the small graph that the problem can be contracted to, for drawing; None where there is none."""
    raise NotImplementedError


@hookspec(firstresult=True)
def searchkit_write(problem: SearchProblem[State, Action]) -> Written | None:
    """Return the problem as text with options from which `searchkit_load` makes an equal one; None where it can't be.

    Equal means: the same starts, actions, costs, goals and estimates, in the same order. With this hook, reports of
    tests end in lines of Python that make the problem again.
    """
    raise NotImplementedError
