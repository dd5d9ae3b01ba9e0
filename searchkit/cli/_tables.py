"""The registry as tables."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from searchkit.plugin.registry import DISABLE_VARIABLE, PluginRecord, Registry
from searchkit.plugin.specs import EngineSpec, Parameter, ProblemSpec

COSTS = {"unit": "costs of 1", "zero-one": "costs 0 and 1"}


def engine_table(specs: Iterable[EngineSpec]) -> Table:
    """Return the engines with their promises and needs, and which of them can run as machine code."""
    table = _table("engine", "promises", "needs", "memory", "compiled")
    for spec in specs:
        promises = ["optimal"] * spec.optimal + ["complete"] * spec.complete
        needs = [COSTS[spec.costs]] if spec.costs in COSTS else []
        needs += ["a heuristic"] * (spec.heuristic == "required")
        needs += [capability.__name__ for capability in spec.requires]
        table.add_row(
            Text.assemble((spec.name, "bold"), f"\n{spec.summary}"),
            "\n".join(promises),
            "\n".join(needs),
            spec.memory,
            "yes" if spec.kernel else "",
        )
    return table


def problem_table(specs: Iterable[ProblemSpec]) -> Table:
    """Return the kinds of problem."""
    table = _table("problem", "what it is")
    for spec in specs:
        table.add_row(spec.name, spec.summary)
    return table


def option_table(owner: str, options: Mapping[str, Iterable[Parameter]]) -> Table:
    """Return the options of engines or problems, those that several share once; `--set` takes them."""
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
    """Return the examples; `searchkit solve NAME` solves one."""
    table = _table("example", "problem", "what it shows")
    for spec in specs:
        for example in spec.examples:
            table.add_row(example.name, spec.name, example.summary)
    return table


def plugin_table(plugins: Iterable[PluginRecord]) -> Table:
    """Return the plugins that were found; what failed is red, with the reason."""
    table = _table("plugin", "package", "version", "hooks", "status")
    colours = {"active": "green", "failed": "red", "blocked": "yellow"}
    for plugin in plugins:
        status = f"failed: {plugin.reason}" if plugin.status == "failed" else plugin.status
        if plugin.status == "blocked":
            status = f"blocked by {DISABLE_VARIABLE}"
        table.add_row(
            plugin.name,
            plugin.distribution,
            plugin.version,
            "\n".join(plugin.hooks),
            Text(status, style=colours[plugin.status]),
            style="red" if plugin.status == "failed" else None,
        )
    return table


def clash_lines(registry: Registry) -> list[Text]:
    """Return a line for each name that several plugins bring, and that nobody can use for that reason."""
    return [
        Text(
            f"{kind} {name!r} is brought by several plugins, {' and '.join(owners)}, and none of theirs is used; "
            f"block all but one of them with {DISABLE_VARIABLE}={owners[-1]}",
            style="red",
        )
        for (kind, name), owners in registry.clashes.items()
    ]


def _table(*columns: str) -> Table:
    table = Table(header_style="bold", show_lines=True)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _meaning(parameter: Parameter) -> str:
    choices = " | ".join(str(choice) for choice in parameter.choices)
    return f"{choices}: {parameter.help}" if choices else parameter.help
