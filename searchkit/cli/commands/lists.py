"""`searchkit engines`, `problems` and `plugins`: what is installed, as tables and as JSON.

docs/reference/json.md says what each field means.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit
from searchkit.errors import InvalidOptionError, PluginWarning, UnknownNameError, unknown

if TYPE_CHECKING:
    from rich.table import Table

    from searchkit.plugin.registry import Registry
    from searchkit.plugin.specs import EngineSpec, Parameter, ProblemSpec

COSTS = {"unit": "costs of 1", "zero-one": "costs 0 and 1", "whole": "whole costs ≥ 1"}


def engines(json: kit.Json = False) -> None:
    """List the engines.

    Shows their promises and requirements, what their memory grows with, whether they have a compiled form, and their
    options.

    Example: searchkit engines
    """
    from searchkit.plugin.registry import registry

    specs = list(registry().engines.values())
    if json:
        fields = ("name", "summary", "optimal", "complete", "exhaustive", "costs", "heuristic", "memory")
        found = [
            {
                **{field: getattr(spec, field) for field in fields},
                "aliases": list(spec.aliases),
                "requires": [capability.__name__ for capability in spec.requires],
                "compiled": bool(spec.kernel),
                "options": _options(spec.options),
            }
            for spec in specs
        ]
        kit.write_json("engines", {"engines": found})
        return
    console = kit.result_console()
    console.print(engine_table(specs))
    if any(spec.options for spec in specs):
        console.print(option_table("engine", {spec.name: spec.options for spec in specs}))


def problems(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]…",
            help="Kinds of problem, or examples, whose options and examples are shown.",
            autocompletion=completion.problems,
        ),
    ] = None,
    json: kit.Json = False,
) -> None:
    """List the kinds of problem; with names, their options and examples.

    The column SOURCE has what can be solved: the names of examples, the name of the problem itself where it needs no
    file, and whether it is read from files.

    Example: searchkit problems romania
    """
    from searchkit.plugin.registry import registry

    specs = chosen_problems(registry(), names or ())
    if json:
        kit.write_json("problems", {"problems": [problem_object(spec) for spec in specs]})
        return
    console = kit.result_console()
    console.print(problem_table(specs))
    if not names:
        console.print("searchkit problems NAME shows the options and the examples of one.", highlight=False)
        return
    if any(spec.parameters for spec in specs):
        console.print(option_table("problem", {spec.name: spec.parameters for spec in specs}))
    if any(spec.examples for spec in specs):
        rows = [(example.name, spec.name, example.summary) for spec in specs for example in spec.examples]
        console.print(kit.table(("example", "problem", "what it shows"), rows))


def plugins(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="With --check: the plugins to check; all without."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check the promises of every problem and engine.")
    ] = False,
    examples: Annotated[
        int,
        typer.Option(
            "--examples", metavar="N", min=1, help="With --check: the problems that each check tries."
        ),
    ] = 40,
    seed: Annotated[int, typer.Option("--seed", help="With --check: what the problems are drawn from.")] = 0,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show the tracebacks of plugins that failed.")
    ] = False,
    json: kit.Json = False,
) -> int:
    """List the plugins, or check them.

    Shows package, version, hooks, commands and status. A plugin that failed is shown in red, with the reason.

    With --check, runs the checks of every problem and engine. A table shows how many promises hold, and a report
    follows for each failure, with a drawing of the smallest case. Exit code 1: something fails. Needs the extra
    testing.

    Example: SEARCHKIT_DISABLE_PLUGINS=dungeon searchkit plugins
    """
    from searchkit.cli.app import COMMANDS
    from searchkit.cli.plugin_commands import plugin_commands
    from searchkit.plugin.registry import DISABLE_VARIABLE, registry

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # the table shows them
        found = registry()
    console = kit.result_console()
    if names and not check:
        raise InvalidOptionError(f"{names[0]}: names go with --check: searchkit plugins --check {names[0]}")
    if check:
        from searchkit.cli.plugin_checks import check_plugins

        return check_plugins(console, found, names or (), examples, seed, json)
    commands: dict[str, list[str]] = {}
    for command in plugin_commands(COMMANDS).values():
        commands.setdefault(command.plugin, []).append(command.spec.name)
    if json:
        kit.write_json("plugins", plugins_object(found, commands))
        return kit.DONE
    console.print(plugin_table(found, commands))
    for record in found.plugins:
        if record.status == "failed":
            console.print(f"plugin {record.name!r} failed: {record.reason}", style="red", soft_wrap=True)
    for (kind, name), owners in found.clashes.items():
        console.print(
            f"{kind} {name!r} is brought by several plugins, {' and '.join(owners)}, and none of theirs is used; "
            f"block all but one of them with {DISABLE_VARIABLE}={owners[-1]}",
            style="red",
            soft_wrap=True,
        )
    for record in found.plugins if traceback else ():
        if record.trace:
            console.print(f"\nplugin {record.name!r}:\n{record.trace}", soft_wrap=True, end="")
    return kit.DONE


def engine_table(specs: "Iterable[EngineSpec]") -> "Table":
    """Return a table of engines: their promises, what they require, and whether they have a compiled form."""
    from rich.text import Text

    rows = []
    for spec in specs:
        promises = ["optimal"] * spec.optimal + ["complete"] * spec.complete
        guide = "a consistent heuristic" if spec.consistent else "a heuristic"
        needs = [guide] if spec.heuristic == "required" else []
        needs += [COSTS[spec.costs]] if spec.costs in COSTS else []
        needs += [capability.__name__ for capability in spec.requires]
        name = Text.assemble((spec.name, "bold"), f"\n{spec.summary}")
        rows.append((name, "\n".join(promises), "\n".join(needs), spec.memory, "yes" if spec.kernel else ""))
    return kit.table(("engine", "promises", "needs", "memory", "compiled"), rows, show_lines=True)


def chosen_problems(registry: "Registry", names: Sequence[str]) -> "list[ProblemSpec]":
    """Return the kinds of problem with these names, or whose examples have them; all of them without names.

    Those of a group follow each other. Raises `UnknownNameError` for a name that is neither.
    """
    found = dict(registry.problems)
    for spec in registry.problems.values():
        for example in spec.examples:
            found.setdefault(example.name, spec)
    for name in names:
        if name not in found:
            what = f"there is no problem and no example {name!r}"
            raise UnknownNameError(unknown(what, name, found, "see: searchkit problems"))
    chosen = {found[name].name: found[name] for name in names or registry.problems}.values()
    groups = list(dict.fromkeys(spec.group for spec in chosen))
    return sorted(chosen, key=lambda spec: groups.index(spec.group))


def problem_table(specs: "Iterable[ProblemSpec]") -> "Table":
    """Return a table of the kinds of problem under the headings of their groups."""
    from rich.text import Text

    table, group = kit.table(("problem", "what it is", "SOURCE"), ()), None
    for spec in specs:
        if spec.group != group:
            table.add_section()
            group = spec.group
            table.add_row(Text(group or "others", style="bold italic"))
        names = [spec.name] * (spec.instance is not None) + [example.name for example in spec.examples]
        if spec.instance is None or any(example.path is not None for example in spec.examples):
            names.append("a file")
        table.add_row(spec.name, spec.summary, ", ".join(dict.fromkeys(names)))
    return table


def option_table(owner: str, options: "Mapping[str, Iterable[Parameter]]") -> "Table":
    """Return a table of the options of engines or problems; an option that several share is listed once."""
    owners: dict[tuple[str, str, str], list[str]] = {}
    for name, parameters in options.items():
        for parameter in parameters:
            choices = " | ".join(map(str, parameter.choices))
            meaning = f"{choices}: {parameter.help}" if choices else parameter.help
            default = "" if parameter.default is None else str(parameter.default)
            owners.setdefault((parameter.name, meaning, default), []).append(name)
    rows = [
        (option, ", ".join(names), default, meaning) for (option, meaning, default), names in owners.items()
    ]
    return kit.table(("--set", owner, "default", "meaning"), rows, show_lines=True)


def plugin_table(found: "Registry", commands: Mapping[str, Sequence[str]]) -> "Table":
    """Return a table of the plugins that were found; those that failed are red."""
    from rich.text import Text

    from searchkit.plugin.registry import DISABLE_VARIABLE

    table = kit.table(("plugin", "package", "version", "hooks and commands", "status"), (), show_lines=True)
    colours = {"active": "green", "failed": "red", "blocked": "yellow"}
    for record in found.plugins:
        brought = [*record.hooks, *(f"searchkit {name}" for name in commands.get(record.name, ()))]
        status = f"blocked by {DISABLE_VARIABLE}" if record.status == "blocked" else record.status
        cells = (record.name, record.distribution, record.version, "\n".join(brought))
        red = "red" if record.status == "failed" else None
        table.add_row(*cells, Text(status, style=colours[record.status]), style=red)
    return table


def problem_object(spec: "ProblemSpec") -> dict[str, Any]:
    """Return the fields that `problems --json` prints of a kind of problem."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "group": spec.group or None,
        "instance": spec.instance is not None,
        "options": _options(spec.parameters),
        "examples": [
            {
                "name": example.name,
                "summary": example.summary,
                "file": None if example.path is None else str(example.path),
                "options": {name: kit.plain(value) for name, value in example.options.items()},
            }
            for example in spec.examples
        ],
        "generators": [
            {"name": made.name, "summary": made.summary, "options": _options(made.parameters)}
            for made in spec.generators
        ],
    }


def plugins_object(registry: "Registry", commands: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the fields that `plugins --json` prints."""
    return {
        "plugins": [
            {
                "name": record.name,
                "package": record.distribution or None,
                "version": record.version or None,
                "status": record.status,
                "reason": record.reason or None,
                "hooks": list(record.hooks),
                "commands": list(commands.get(record.name, ())),
            }
            for record in registry.plugins
        ],
        "clashes": [
            {"kind": kind, "name": name, "plugins": list(owners)}
            for (kind, name), owners in registry.clashes.items()
        ],
    }


def _options(parameters: "Iterable[Parameter]") -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "help": parameter.help,
            "default": kit.plain(parameter.default),
            "choices": [kit.plain(choice) for choice in parameter.choices],
        }
        for parameter in parameters
    ]
