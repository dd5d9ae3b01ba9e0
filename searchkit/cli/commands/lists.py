"""`searchkit engines`, `problems` and `plugins`: what is installed, as tables and as JSON.

docs/reference/formats.md says what each field means.
"""

import inspect
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit
from searchkit.errors import InvalidOptionError, PluginWarning, UnknownNameError, unknown

if TYPE_CHECKING:
    from rich.table import Table

    from searchkit.plugin.options import Parameter
    from searchkit.plugin.registry import Registry
    from searchkit.plugin.specs import EngineSpec, ProblemSpec

ENGINE_COLUMNS = ("engine", "promises", "needs", "memory", "compiled")
OPTION_COLUMNS = ("--set", "default", "meaning")
COSTS = {"unit": "costs of 1", "zero-one": "costs 0 and 1", "whole": "whole costs ≥ 1"}
COLOURS = {"active": "green", "failed": "red", "blocked": "yellow"}


def engines(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The engine to show.", autocompletion=completion.engines),
    ] = None,
    source: Annotated[bool, typer.Option("--source", help="Print the source of the engine.")] = False,
    json: kit.Json = False,
) -> None:
    """List the engines, or show one with its options.

    Example: searchkit engines astar --source
    """
    from searchkit.plugin.registry import registry

    specs = list(registry().engines.values()) if name is None else [registry().engine(name)]
    if source:
        if name is None:
            raise InvalidOptionError("--source prints one engine; name it: searchkit engines astar --source")
        runs: list[Any] = [specs[0].run]
        for run in runs:  # with what it calls of other engines: dfs is dls without the limit
            called = [run.__globals__.get(name) for name in run.__code__.co_names]
            called = [one for one in called if inspect.isfunction(one) and one not in runs]
            runs += [one for one in called if ".engines." in one.__module__]
        files = dict.fromkeys(map(inspect.getfile, runs))
        typer.echo("\n\n".join(Path(file).read_text(encoding="utf-8") for file in files), nl=False)
        return
    if json:
        kit.write_json("engines", {"engines": list(map(engine_object, specs))})
        return
    console = kit.result_console()
    console.print(kit.table(ENGINE_COLUMNS, map(engine_row, specs), show_lines=True))
    if name is None:
        console.print("searchkit engines NAME shows the options of one, with --source its code.")
    elif specs[0].options:
        console.print(kit.table(OPTION_COLUMNS, option_rows(specs[0].options), show_lines=True))


def engine_object(spec: "EngineSpec") -> dict[str, Any]:
    """Return the fields that `engines --json` prints of an engine."""
    fields = ("name", "summary", "optimal", "complete", "exhaustive", "costs", "heuristic", "memory")
    return {
        **{field: getattr(spec, field) for field in fields},
        "aliases": list(spec.aliases),
        "requires": [capability.__name__ for capability in spec.requires],
        "compiled": bool(spec.kernel),
        "options": option_objects(spec.options),
    }


def engine_row(spec: "EngineSpec") -> list[Any]:
    """Return the cells of the table of engines."""
    from rich.text import Text

    promises = ["optimal"] * spec.optimal + ["complete"] * spec.complete
    guide = "a consistent heuristic" if spec.consistent else "a heuristic"
    needs = {"required": [guide], "optional": [f"{guide} (optional)"]}.get(spec.heuristic, [])
    needs += [COSTS[spec.costs]] if spec.costs in COSTS else []
    needs += [", ".join(name for name in vars(one) if name[0] != "_") for one in spec.requires]
    name = Text.assemble((spec.name, "bold"), f"\n{spec.summary}")
    return [name, "\n".join(promises), "\n".join(needs), spec.memory, "yes" if spec.kernel else ""]


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
    """List the kinds of problem, or show some.

    With names, options and examples are shown. SOURCE is what can be solved: the names of examples, the name of the
    problem itself where it needs no file, and whether it is read from files.

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
    for spec in specs:
        if spec.parameters:
            console.print(kit.table(OPTION_COLUMNS, option_rows(spec.parameters), show_lines=True))
    rows = [(example.name, spec.name, example.summary) for spec in specs for example in spec.examples]
    if rows:
        console.print(kit.table(("example", "problem", "what it shows"), rows))


def chosen_problems(registry: "Registry", names: Sequence[str]) -> "list[ProblemSpec]":
    """Return the kinds of problem with these names, or whose examples have them; all of them without names.

    Those of a group follow each other. Raises `UnknownNameError` for a name that is neither.
    """
    found = {example.name: spec for spec in registry.problems.values() for example in spec.examples}
    found |= registry.problems
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


def problem_object(spec: "ProblemSpec") -> dict[str, Any]:
    """Return the fields that `problems --json` prints of a kind of problem."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "group": spec.group or None,
        "instance": spec.instance is not None,
        "options": option_objects(spec.parameters),
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
            {"name": made.name, "summary": made.summary, "options": option_objects(made.parameters)}
            for made in spec.generators
        ],
    }


def option_rows(parameters: "Iterable[Parameter]") -> Iterator[tuple[str, str, str]]:
    """Yield the rows of a table of the options of an engine or a problem."""
    for each in parameters:
        choices = " | ".join(map(str, each.choices))
        meaning = (f"{choices}: " if choices else "") + each.help + (f", {each.range}" if each.range else "")
        yield each.name, "" if each.default is None else str(each.default), meaning


def option_objects(parameters: "Iterable[Parameter]") -> list[dict[str, Any]]:
    """Return the fields of options, as `--json` prints them."""
    fields = ("name", "help", "default", "choices")
    return [{field: kit.plain(getattr(each, field)) for field in fields} for each in parameters]


def plugins(json: kit.Json = False) -> None:
    """List the plugins: package, version, hooks, commands and status. One that failed has the reason.

    Example: SEARCHKIT_DISABLE_PLUGINS=dungeon searchkit plugins
    """
    from rich.text import Text

    from searchkit.plugin.registry import DISABLE_VARIABLE, registry

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # the table shows them
        found = registry()
    records: list[dict[str, Any]] = [
        {
            "name": record.name,
            "package": record.package and record.package.name,
            "version": record.package and record.package.version,
            "status": record.status,
            "reason": record.reason or None,
            "hooks": list(record.declared),
            "commands": [spec.name for spec in record.declared.get("searchkit_commands", ())],
        }
        for record in found.plugins
    ]
    if json:
        kit.write_json("plugins", {"plugins": records})
        return
    rows = []
    for each in records:
        added = [*each["hooks"], *(f"searchkit {name}" for name in each["commands"])]
        status = f"blocked by {DISABLE_VARIABLE}" if each["status"] == "blocked" else each["status"]
        cells = (each["name"], each["package"] or "", each["version"] or "", "\n".join(added))
        rows.append((*cells, Text(status, style=COLOURS[each["status"]])))
    columns = ("plugin", "package", "version", "hooks and commands", "status")
    console = kit.result_console()
    console.print(kit.table(columns, rows, show_lines=True))
    for record in found.plugins:
        if record.reason:
            line = f"plugin {record.name!r} failed: {record.reason}"
            console.print(line, style="red", soft_wrap=True)
