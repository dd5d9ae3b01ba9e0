"""`searchkit demo`: solves an example with several engines."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from searchkit.cli import kit

if TYPE_CHECKING:
    from rich.console import Console

    from searchkit.render.terminal import Means

ENGINES = ("dijkstra", "astar", "wastar", "greedy")
"""Each of them expands less of the map than the one before it."""
NAME = "demo"
PICTURE_WIDTH = 124
"""Columns of the SVG picture: two maps of 60 columns side by side."""


def demo(
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write the picture to FILE as well, as SVG.")
    ] = None,
) -> int:
    """Solve an example with four engines.

    Draws the states that each expanded and the path that it found, and compares them.
    The example is the one called demo, or otherwise the first.

    Example: searchkit demo
    """
    from searchkit.cli.comparison import exit_code, gallery, print_comparison, run_engines
    from searchkit.search.limits import Limits

    name = example_name()
    task = kit.Request.of(name).resolve(ENGINES)
    rows = run_engines(task, ENGINES, "auto", Limits(seconds=5))

    def show(console: "Console", height: int | None, means: "Means") -> None:
        console.print(f"$ searchkit compare {name} --engines {','.join(ENGINES)} --draw\n", soft_wrap=True)
        for part in gallery(rows, console.width, height, means):
            console.print(part)
        console.print()
        print_comparison(console, rows)

    console = kit.result_console()
    show(console, console.drawing_height, console.means)
    if svg is not None:
        from io import StringIO

        from rich.console import Console

        recorder = Console(
            file=StringIO(),
            record=True,
            width=PICTURE_WIDTH,
            force_terminal=True,
            color_system="truecolor",
            no_color=False,
            legacy_windows=False,
            highlight=False,
            markup=False,
            emoji=False,
        )
        show(recorder, None, "tiles")
        kit.write_file(svg, recorder.export_svg(title="searchkit demo", unique_id="searchkit"))
    return exit_code(rows)


def example_name() -> str:
    """Return the name of the example to show. Raises `UnknownNameError` if no plugin brings an example."""
    from searchkit.errors import UnknownNameError
    from searchkit.plugin.loading import examples
    from searchkit.plugin.registry import registry

    names = list(examples(registry()))
    if not names:
        raise UnknownNameError("no plugin brings an example to show; see: searchkit plugins")
    return NAME if NAME in names else names[0]
