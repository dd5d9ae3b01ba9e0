"""`searchkit plugins`: what was found, what became of it, and whether it keeps its promises."""

from typing import Annotated

import typer

from searchkit.cli import _options

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def plugins(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="With --check: the plugins to check; all without."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Hold every problem and engine to what it promises.")
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
    json: _options.Json = False,
) -> int:
    """List the plugins, or check them.

    Package and version, hooks, and whether they work. A plugin that failed is shown in red, with the reason.

    With --check, every problem and engine goes through its checks: a table says how many promises hold, and a report
    follows for each that fails, with the smallest case drawn. Exit code 1: something fails. Needs the extra testing.

    Example: SEARCHKIT_DISABLE_PLUGINS=dungeon searchkit plugins
    """
    import warnings

    from searchkit.cli._console import result_console
    from searchkit.cli._tables import clash_lines, plugin_table
    from searchkit.errors import InvalidOptionError, PluginWarning
    from searchkit.plugin.registry import registry

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # the table says it
        found = registry()
    console = result_console()
    if names and not check:
        raise InvalidOptionError(f"{names[0]}: names go with --check: searchkit plugins --check {names[0]}")
    if check:
        from searchkit.cli._doctor import examine_plugins

        return examine_plugins(console, found, names or (), examples, seed, json)
    if json:
        from searchkit.cli._json import plugins_object
        from searchkit.cli._output import write_json

        write_json("plugins", plugins_object(found))
        return 0
    console.print(plugin_table(found.plugins))
    for line in clash_lines(found):
        console.print(line, soft_wrap=True)
    for plugin in found.plugins if traceback else ():
        if plugin.trace:
            console.print(f"\nplugin {plugin.name!r}:\n{plugin.trace}", soft_wrap=True, end="")
    return 0
