"""`searchkit problems`: what can be solved."""

import typer

from searchkit.cli import _options

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def problems(json: _options.Json = False) -> None:
    """List the kinds of problem.

    With their options, and the examples that ship with them.

    Example: searchkit problems
    """
    from searchkit.cli._console import result_console
    from searchkit.cli._tables import example_table, option_table, problem_table
    from searchkit.plugin.registry import registry

    specs = list(registry().problems.values())
    if json:
        from searchkit.cli._json import problem_object
        from searchkit.cli._output import write_json

        write_json("problems", {"problems": [problem_object(spec) for spec in specs]})
        return
    console = result_console()
    console.print(problem_table(specs))
    if any(spec.parameters for spec in specs):
        console.print(option_table("problem", {spec.name: spec.parameters for spec in specs}))
    if any(spec.examples for spec in specs):
        console.print(example_table(specs))
