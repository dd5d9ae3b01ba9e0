"""Pictures in files: the output of a command as SVG; contracted graphs as DOT, SVG and PNG."""

import json
from collections.abc import Callable, Iterator
from io import StringIO
from math import pi
from pathlib import Path

from rich.console import Console

from searchkit.basics.files import replacing, reporting_unwritable, write_text
from searchkit.errors import MissingExtraError
from searchkit.plugin.drawing import ContractedGraph

COLOURS = ("#ff5c7a", "#9aa3b2", "#ffb000", "#3ddc84", "#4cc9f0", "#b388ff", "#f78c6b")
"""The colours of the kinds of nodes, in the order of their names; after the last, the first is used again."""
NODE_POINTS, PLAIN_POINTS = 190, 12
"""The area of a node with a label and of a node without, in square points."""
LABEL_POINTS = 6
"""The size of the letters beside edges."""
INCHES_PER_EDGE = 0.9
MOST_INCHES = 24


def to_dot(graph: ContractedGraph) -> str:
    """Return a graph in the DOT language of Graphviz. `neato -n` keeps the positions of the nodes; `dot` does not."""
    return "\n".join(_dot_lines(graph)) + "\n"


def _dot_lines(graph: ContractedGraph) -> Iterator[str]:
    colours = _colours(graph)
    yield "graph contracted {"
    yield "  node [style=filled];"
    for node in graph.nodes:
        shape = "circle" if node.label else "point"
        x, y = node.position
        yield (
            f"  {_quoted(node.name)} [label={_quoted(node.label)}, shape={shape}, "
            f'fillcolor="{colours[node.kind]}", pos="{72 * x:g},{-72 * y:g}"];'
        )
    for edge in graph.edges:
        one, other = map(_quoted, edge.ends)
        yield f"  {one} -- {other} [label={_quoted(edge.label)}];"
    yield "}"


def write_picture(graph: ContractedGraph, path: Path, format: str) -> None:
    """Draw a graph to a file of the format `svg` or `png`, with the nodes at their positions in the problem.

    Raises `MissingExtraError` without matplotlib, and `InvalidOptionError` if the file can't be written.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "drawing a graph needs matplotlib; install it: pip install 'statespace-searchkit[viz]'"
        ) from error
    places = {node.name: (node.position[0], -node.position[1]) for node in graph.nodes}
    side = min(MOST_INCHES, max(4.0, INCHES_PER_EDGE * len(graph.edges) ** 0.5 + 2))
    with rc_context({"svg.hashsalt": "searchkit", "svg.fonttype": "none"}):
        figure = Figure(figsize=(side, side), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axis_off()
        axes.set_aspect("equal", adjustable="datalim")
        for edge in graph.edges:
            (x, y), (to_x, to_y) = (places[end] for end in edge.ends)
            axes.plot([x, to_x], [y, to_y], color="#b8c0cc", linewidth=1, zorder=1)
        for kind, colour in _colours(graph).items():
            nodes = [node for node in graph.nodes if node.kind == kind]
            axes.scatter(
                [places[node.name][0] for node in nodes],
                [places[node.name][1] for node in nodes],
                s=[NODE_POINTS if node.label else PLAIN_POINTS for node in nodes],
                color=colour,
                edgecolors="#3b414d",
                linewidths=0.5,
                label=kind,
                zorder=3,
            )
        for node in graph.nodes:
            axes.annotate(
                node.label, places[node.name], fontsize=8, ha="center", va="center_baseline", zorder=4
            )
        if graph.nodes:
            figure.legend(loc="outside lower center", ncols=7, frameon=False, fontsize=8)
        figure.draw_without_rendering()  # the lengths of edges on paper are known from here on
        for edge in graph.edges:
            ends = [places[end] for end in edge.ends]
            (x, y), (to_x, to_y) = axes.transData.transform(ends) * 72 / figure.dpi
            axes.annotate(
                edge.label,
                ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2),
                xytext=label_offset(edge.label, abs(to_x - x), abs(to_y - y)),
                textcoords="offset points",
                fontsize=LABEL_POINTS,
                ha="center",
                va="center",
                bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8},
                zorder=2,
            )
        with reporting_unwritable(path), replacing(path) as file:
            figure.savefig(file, format=format, dpi=150, metadata={"Date": None} if format == "svg" else None)


def label_offset(label: str, across: float, down: float) -> tuple[float, float]:
    """Return the offset, in points, of a label from the middle of an edge whose extent in points is given.

    It is (0, 0) if the label fits between the nodes at the ends; otherwise the label stands beside the edge.
    """
    width, height = 0.6 * LABEL_POINTS * len(label), 1.4 * LABEL_POINTS
    diameter = 2 * (NODE_POINTS / pi) ** 0.5
    if across >= diameter + width or down >= diameter + height:
        return 0, 0
    return (0, (diameter + height) / 2) if across >= down else ((diameter + width) / 2, 0)


def _colours(graph: ContractedGraph) -> dict[str, str]:
    kinds = sorted({node.kind for node in graph.nodes})
    return {kind: COLOURS[number % len(COLOURS)] for number, kind in enumerate(kinds)}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write_svg(path: Path, show: Callable[[Console], object], *, title: str, width: int = 100) -> None:
    """Write to an SVG file what `show` prints on a console of `width` columns, with colours.

    Raises `InvalidOptionError` if the file can't be written.
    """
    console = Console(
        file=StringIO(),
        record=True,
        width=width,
        force_terminal=True,
        color_system="truecolor",
        no_color=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    show(console)
    picture = console.export_svg(title=title, unique_id="searchkit")
    with reporting_unwritable(path):
        write_text(path, picture)
