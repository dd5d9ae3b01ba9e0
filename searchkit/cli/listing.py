"""Engines, problems and plugins as tables and as JSON: docs/reference/json.md says what each field means."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from searchkit.basics.values import plain
from searchkit.cli.plugin_commands import PluginCommand
from searchkit.errors import UnknownNameError, unknown
from searchkit.plugin.registry import DISABLE_VARIABLE, PluginRecord, Registry
from searchkit.plugin.specs import EngineSpec, Parameter, ProblemSpec

COSTS = {"unit": "costs of 1", "zero-one": "costs 0 and 1", "whole": "whole costs ≥ 1"}


def engine_table(specs: Iterable[EngineSpec]) -> Table:
    """Return a table of engines: their promises, what they require, and whether they have a compiled form."""
    table = _table("engine", "promises", "needs", "memory", "compiled")
    for spec in specs:
        promises = ["optimal"] * spec.optimal + ["complete"] * spec.complete
        guide = "a consistent heuristic" if spec.consistent else "a heuristic"
        needs = [guide] if spec.heuristic == "required" else []
        needs += [COSTS[spec.costs]] if spec.costs in COSTS else []
        needs += [capability.__name__ for capability in spec.requires]
        table.add_row(
            Text.assemble((spec.name, "bold"), f"\n{spec.summary}"),
            "\n".join(promises),
            "\n".join(needs),
            spec.memory,
            "yes" if spec.kernel else "",
        )
    return table


def by_group(specs: Iterable[ProblemSpec]) -> list[ProblemSpec]:
    """Return the kinds of problem so that each group stands together, in the order of first members."""
    groups: dict[str, list[ProblemSpec]] = {}
    for spec in specs:
        groups.setdefault(spec.group, []).append(spec)
    return [spec for group in groups.values() for spec in group]


def chosen_problems(registry: Registry, names: Sequence[str]) -> list[ProblemSpec]:
    """Return the kinds of problem with these names, or whose examples have them; all of them without names.

    Raises `UnknownNameError` for a name that is neither.
    """
    found = registry.problems
    if not names:
        return list(found.values())
    of_examples = {example.name: spec for spec in found.values() for example in spec.examples}
    for name in names:
        if name not in found and name not in of_examples:
            raise UnknownNameError(
                unknown(
                    f"there is no problem and no example {name!r}",
                    name,
                    [*found, *of_examples],
                    "see: searchkit problems",
                )
            )
    return list(
        {spec.name: spec for spec in (found.get(name) or of_examples[name] for name in names)}.values()
    )


def problem_table(specs: Iterable[ProblemSpec]) -> Table:
    """Return a table of the kinds of problem under the headings of their groups: see `by_group`."""
    table = _table("problem", "what it is", "SOURCE", show_lines=False)
    group = None
    for spec in specs:
        if spec.group != group:
            if group is not None:
                table.add_section()
            group = spec.group
            table.add_row(Text(group or "others", style="bold italic"))
        has_files = spec.instance is None or any(example.path is not None for example in spec.examples)
        sources = dict.fromkeys(
            [spec.name] * (spec.instance is not None) + [example.name for example in spec.examples]
        )
        table.add_row(spec.name, spec.summary, ", ".join([*sources, *["a file"] * has_files]))
    return table


def option_table(owner: str, options: Mapping[str, Iterable[Parameter]]) -> Table:
    """Return a table of the options of engines or problems; an option that several share is listed once."""
    table = _table("--set", owner, "default", "meaning")
    owners: dict[tuple[str, str], dict[str, str]] = {}
    for name, parameters in options.items():
        for parameter in parameters:
            default = "" if parameter.default is None else str(parameter.default)
            owners.setdefault((parameter.name, _meaning(parameter)), {})[name] = default
    for (option, meaning), defaults in owners.items():
        for default in dict.fromkeys(defaults.values()):
            sharing = ", ".join(name for name, value in defaults.items() if value == default)
            table.add_row(option, sharing, default, meaning)
            meaning = "the same"
    return table


def example_table(specs: Iterable[ProblemSpec]) -> Table:
    """Return a table of the examples; `searchkit solve NAME` solves one."""
    table = _table("example", "problem", "what it shows")
    for spec in specs:
        for example in spec.examples:
            table.add_row(example.name, spec.name, example.summary)
    return table


def plugin_table(plugins: Iterable[PluginRecord], commands: Mapping[str, PluginCommand]) -> Table:
    """Return a table of the plugins that were found; those that failed are red: see `failure_lines`."""
    table = _table("plugin", "package", "version", "hooks and commands", "status")
    colours = {"active": "green", "failed": "red", "blocked": "yellow"}
    for plugin in plugins:
        status = f"blocked by {DISABLE_VARIABLE}" if plugin.status == "blocked" else plugin.status
        table.add_row(
            plugin.name,
            plugin.distribution,
            plugin.version,
            "\n".join([*plugin.hooks, *(f"searchkit {name}" for name in commands_of(plugin, commands))]),
            Text(status, style=colours[plugin.status]),
            style="red" if plugin.status == "failed" else None,
        )
    return table


def failure_lines(plugins: Iterable[PluginRecord]) -> list[Text]:
    """Return a line for each plugin that failed, with the reason."""
    return [
        Text(f"plugin {plugin.name!r} failed: {plugin.reason}", style="red")
        for plugin in plugins
        if plugin.status == "failed"
    ]


def clash_lines(registry: Registry) -> list[Text]:
    """Return a line for each name that several plugins bring, and that therefore can't be used."""
    return [
        Text(
            f"{kind} {name!r} is brought by several plugins, {' and '.join(owners)}, and none of theirs is used; "
            f"block all but one of them with {DISABLE_VARIABLE}={owners[-1]}",
            style="red",
        )
        for (kind, name), owners in registry.clashes.items()
    ]


def _table(*columns: str, show_lines: bool = True) -> Table:
    table = Table(header_style="bold", show_lines=show_lines)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _meaning(parameter: Parameter) -> str:
    choices = " | ".join(str(choice) for choice in parameter.choices)
    return f"{choices}: {parameter.help}" if choices else parameter.help


def commands_of(plugin: PluginRecord, commands: Mapping[str, PluginCommand]) -> list[str]:
    """Return the names of the commands that a plugin brings."""
    return [name for name, command in commands.items() if command.plugin == plugin.name]


def engine_object(spec: EngineSpec) -> dict[str, Any]:
    """Return the fields that `engines --json` prints of an engine."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "aliases": list(spec.aliases),
        "optimal": spec.optimal,
        "complete": spec.complete,
        "exhaustive": spec.exhaustive,
        "costs": spec.costs,
        "heuristic": spec.heuristic,
        "requires": [capability.__name__ for capability in spec.requires],
        "memory": spec.memory,
        "compiled": bool(spec.kernel),
        "options": _options(spec.options),
    }


def problem_object(spec: ProblemSpec) -> dict[str, Any]:
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
                "options": {name: plain(value) for name, value in example.options.items()},
            }
            for example in spec.examples
        ],
        "generators": [
            {"name": made.name, "summary": made.summary, "options": _options(made.parameters)}
            for made in spec.generators
        ],
    }


def plugins_object(registry: Registry, commands: Mapping[str, PluginCommand]) -> dict[str, Any]:
    """Return the fields that `plugins --json` prints."""
    return {
        "plugins": [_plugin(record, commands_of(record, commands)) for record in registry.plugins],
        "clashes": [
            {"kind": kind, "name": name, "plugins": list(owners)}
            for (kind, name), owners in registry.clashes.items()
        ],
    }


def _plugin(record: PluginRecord, commands: list[str]) -> dict[str, Any]:
    return {
        "name": record.name,
        "package": record.distribution or None,
        "version": record.version or None,
        "status": record.status,
        "reason": record.reason or None,
        "hooks": list(record.hooks),
        "commands": commands,
    }


def _options(parameters: Iterable[Parameter]) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "help": parameter.help,
            "default": plain(parameter.default),
            "choices": [plain(choice) for choice in parameter.choices],
        }
        for parameter in parameters
    ]
