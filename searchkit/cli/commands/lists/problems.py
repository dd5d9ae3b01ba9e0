"""`searchkit problems`: lists the kinds of problem, or shows some of them whole."""

from typing import Annotated

import typer

from searchkit.cli import completion, kit

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
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
    from searchkit.cli.listing import (
        by_group,
        chosen_problems,
        example_table,
        option_table,
        problem_object,
        problem_table,
    )
    from searchkit.plugin.registry import registry

    specs = by_group(chosen_problems(registry(), names or ()))
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
        console.print(example_table(specs))
