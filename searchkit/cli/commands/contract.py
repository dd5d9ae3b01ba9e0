"""`searchkit contract`: draws the small graph that a problem is contracted to."""

from pathlib import Path
from typing import Annotated

import typer

from searchkit.cli import kit


def contract(
    source: kit.Source,
    problem: kit.Problem = None,
    set: kit.Settings = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write: PNG (with the extra viz) if it ends in .png, else SVG; by default SOURCE.svg.",
        ),
    ] = None,
) -> None:
    """Draw the graph that a problem is contracted to.

    For example, the keys, doors and starts of a vault, and the paths between them.

    Example: searchkit contract vault81 -o vault.svg
    """
    from searchkit.errors import MissingCapabilityError
    from searchkit.plugin.registry import ask
    from searchkit.render.graphs import contracted_scene
    from searchkit.render.image import to_png
    from searchkit.render.scene import to_svg

    task = kit.Request.of(source, problem, settings=set).resolve()
    graph = ask(task.problem, "contract")
    if graph is None:
        raise MissingCapabilityError(
            f"a problem of the kind {task.kind!r} can't be contracted; a plugin does so by ProblemSpec(…, contract=…)"
        )
    scene = contracted_scene(graph)
    path = output or Path("stdin.svg" if source == "-" else f"{Path(source).stem}.svg")
    kit.write_file(path, to_png(scene) if path.suffix == ".png" else to_svg(scene))
    typer.echo(f"{path}: {len(graph.nodes)} nodes, {len(graph.edges)} edges")
