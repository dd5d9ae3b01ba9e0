"""The hooks, and what they return: the whole contract between searchkit and a plugin.

A plugin is a module with functions of these names, marked with `@hookimpl`, and an entry point in the group
`searchkit` that names the module. A function may take fewer arguments than its hook has. No hook is called while a
search runs.
"""

# mypy: disable-error-code="empty-body"
import pluggy

from searchkit.plugin.drawing import ContractedGraph, Places
from searchkit.plugin.files import Scenario, Source, Written
from searchkit.plugin.specs import CommandSpec, EngineSpec, ExecutorSpec, ProblemSpec
from searchkit.problem import Action, SearchProblem, State

GROUP = "searchkit"
hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kinds of problem of this plugin. Called once, when the plugin is loaded."""


@hookspec
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines of this plugin. Called once, when the plugin is loaded."""


@hookspec
def searchkit_commands() -> list[CommandSpec]:
    """Return the commands that this plugin adds to `searchkit`.

    A command is a function with Typer's annotations, or a Typer app. It is imported when it is used: the list of
    commands needs only the specs. `searchkit.cli.kit` has what commands share: options, the problem to load, limits,
    output, progress, Ctrl-C and exit codes. A name that searchkit or another plugin uses is left out, with a
    `PluginWarning` that names the plugin; so are the commands of a plugin whose hook raises.
    """


@hookspec
def searchkit_executors() -> list[ExecutorSpec]:
    """Return the kinds of executors that this plugin adds: `--workers NAME`, `open_executor("NAME")`.

    An executor is a `concurrent.futures.Executor`, which runs pure functions elsewhere: in other processes, or on a
    cluster. Called when one is opened. A name that searchkit or another plugin uses is an error.
    """


@hookspec
def searchkit_load(
    source: Source, format: str | None, options: dict[str, object]
) -> SearchProblem[State, Action] | None:
    """Return the problem that `source` describes, or None if it does not have a format of this plugin.

    Every plugin is called; it is an error if several return a problem.

    Args:
        source: the file.
        format: the name of the kind of problem that the user asked for; None if the text has to show it.
        options: the options that the user gave, not converted: `ProblemSpec.parse` converts them.

    Raises:
        InputFormatError: the text has the format, but is faulty. The error is reported only if no other plugin can
            read the text.

    """


@hookspec
def searchkit_scenario(source: Source, map: str | None, options: dict[str, object]) -> Scenario | None:
    """Return the queries with known answers that `source` lists, or None if it does not have a format of this plugin.

    Every plugin is called, and errors are handled as for `searchkit_load`.

    Args:
        source: the file of the scenario.
        map: the file that the queries are about; None if the scenario names it.
        options: the options that the user gave, not converted.

    """


@hookspec(firstresult=True)
def searchkit_places(problem: SearchProblem[State, Action]) -> Places[State] | None:
    """Return where the states of a problem are and how they look, or None if this plugin doesn't know the problem.

    The first answer is used. Terminal, pictures, recordings and player draw from it; a problem without places is shown
    as the tree of its states.
    """


@hookspec(firstresult=True)
def searchkit_contract(problem: SearchProblem[State, Action]) -> ContractedGraph | None:
    """Return the small graph to which the problem can be contracted, for drawing, or None if there is none."""


@hookspec(firstresult=True)
def searchkit_write(problem: SearchProblem[State, Action]) -> Written | None:
    """Return a text and options from which `searchkit_load` makes an equal problem, or None if that is not possible.

    Equal means: the same starts, actions, costs, goals and heuristic values, in the same order. With this hook, reports
    of tests end in lines of Python that make the problem again.
    """
