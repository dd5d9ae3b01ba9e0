"""`searchkit problems`: lists the kinds of problem."""

import typer

from searchkit.cli import kit

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def problems(json: kit.Json = False) -> None:
    """List the kinds of problem.

    Shows them in groups, with their options and their examples. Where the column SOURCE has the name of the problem,
    this name can stand for a file: searchkit solve NAME --set OPTION=VALUE.

    Example: searchkit problems
    """
    from searchkit.cli.listing import by_group, example_table, option_table, problem_object, problem_table
    from searchkit.plugin.registry import registry

    specs = by_group(registry().problems.values())
    if json:
        kit.write_json("problems", {"problems": [problem_object(spec) for spec in specs]})
        return
    console = kit.result_console()
    console.print(problem_table(specs))
    if any(spec.parameters for spec in specs):
        console.print(option_table("problem", {spec.name: spec.parameters for spec in specs}))
    if any(spec.examples for spec in specs):
        console.print(example_table(specs))
