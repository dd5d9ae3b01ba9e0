"""`searchkit plugins`: lists the plugins that were found, and checks whether they keep their promises."""

from typing import Annotated

import typer

from searchkit.cli import kit

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
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
    import warnings

    from searchkit.cli.app import COMMANDS
    from searchkit.cli.listing import clash_lines, failure_lines, plugin_table, plugins_object
    from searchkit.cli.plugin_commands import plugin_commands
    from searchkit.errors import InvalidOptionError, PluginWarning
    from searchkit.plugin.registry import registry

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # the table shows them
        found = registry()
    console = kit.result_console()
    if names and not check:
        raise InvalidOptionError(f"{names[0]}: names go with --check: searchkit plugins --check {names[0]}")
    if check:
        from searchkit.cli.plugin_checks import examine_plugins

        return examine_plugins(console, found, names or (), examples, seed, json)
    commands = plugin_commands(COMMANDS)
    if json:
        kit.write_json("plugins", plugins_object(found, commands))
        return kit.DONE
    console.print(plugin_table(found.plugins, commands))
    for line in [*failure_lines(found.plugins), *clash_lines(found)]:
        console.print(line, soft_wrap=True)
    for plugin in found.plugins if traceback else ():
        if plugin.trace:
            console.print(f"\nplugin {plugin.name!r}:\n{plugin.trace}", soft_wrap=True, end="")
    return kit.DONE
