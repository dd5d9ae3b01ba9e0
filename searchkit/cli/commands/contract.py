"""`searchkit contract`: draws the small graph that a problem is contracted to."""

from pathlib import Path
from typing import Annotated

import typer

from searchkit.cli import kit


def contract(
    source: kit.Source,
    problem: kit.Problem = None,
    set: kit.Settings = None,
    dot: Annotated[bool, typer.Option("--dot", help="As DOT text, for Graphviz (the default).")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="As an SVG picture; needs the extra viz.")] = False,
    png: Annotated[bool, typer.Option("--png", help="As a PNG picture; needs the extra viz.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write (replacing it); without it, DOT is printed, and a picture is named after SOURCE.",
        ),
    ] = None,
) -> None:
    """Draw the graph that a problem is contracted to.

    For example, the keys, doors and starts of a vault, and the paths between them.

    Example: searchkit contract vault81 --svg -o vault.svg
    """
    from searchkit.errors import MissingCapabilityError
    from searchkit.plugin.drawing import ContractedGraph
    from searchkit.plugin.registry import registry
    from searchkit.render.graphs import contracted_scene, to_dot
    from searchkit.render.image import to_png
    from searchkit.render.scene import to_svg

    kit.check_options({"--dot": dot, "--svg": svg, "--png": png})
    request = kit.Request.of(source, problem, settings=set)
    kind, loaded = request.opened.load(request.settings)
    _, graph = registry().first("searchkit_contract", ContractedGraph, "contract the problem", problem=loaded)
    if graph is None:
        raise MissingCapabilityError(
            f"no plugin can contract a problem of the kind {kind!r}; a plugin does so by the hook searchkit_contract"
        )
    if svg or png:
        kind_of_file = "svg" if svg else "png"
        stem = "stdin" if request.source == "-" else Path(source).stem
        path = output or Path(f"{stem}.{kind_of_file}")
        scene = contracted_scene(graph)
        kit.write_file(path, to_svg(scene) if svg else to_png(scene))
        typer.echo(f"{path}: {len(graph.nodes)} nodes, {len(graph.edges)} edges")
    elif output is None:
        typer.echo(to_dot(graph), nl=False)
    else:
        kit.write_file(output, to_dot(graph))
        typer.echo(f"{output}: {len(graph.nodes)} nodes, {len(graph.edges)} edges")
