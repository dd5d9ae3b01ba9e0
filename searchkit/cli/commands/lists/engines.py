"""`searchkit engines`: lists the engines."""

import typer

from searchkit.cli import kit

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def engines(json: kit.Json = False) -> None:
    """List the engines.

    Shows their promises and requirements, what their memory grows with, whether they have a compiled form, and their
    options.

    Example: searchkit engines
    """
    from searchkit.cli.listing import engine_object, engine_table, option_table
    from searchkit.plugin.registry import registry

    specs = list(registry().engines.values())
    if json:
        kit.write_json("engines", {"engines": [engine_object(spec) for spec in specs]})
        return
    console = kit.result_console()
    console.print(engine_table(specs))
    if any(spec.options for spec in specs):
        console.print(option_table("engine", {spec.name: spec.options for spec in specs}))
