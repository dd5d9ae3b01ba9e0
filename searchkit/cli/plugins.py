"""`searchkit plugins`: what was found, and what became of it."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def plugins(
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show the tracebacks of plugins that failed.")
    ] = False,
) -> None:
    """List the plugins.

    Package and version, hooks, and whether they work. A plugin that failed is shown in red, with the reason.

    Example: SEARCHKIT_DISABLE_PLUGINS=dungeon searchkit plugins
    """
    import warnings

    from searchkit.cli._console import result_console
    from searchkit.cli._tables import clash_lines, plugin_table
    from searchkit.errors import PluginWarning
    from searchkit.plugins import registry

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # the table says it
        found = registry()
    console = result_console()
    console.print(plugin_table(found.plugins))
    for line in clash_lines(found):
        console.print(line, soft_wrap=True)
    for plugin in found.plugins if traceback else ():
        if plugin.trace:
            console.print(f"\nplugin {plugin.name!r}:\n{plugin.trace}", soft_wrap=True, end="")
