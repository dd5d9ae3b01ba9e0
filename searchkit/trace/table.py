"""Step tables: each expansion of a search in one row."""

from typing import Any, NamedTuple

from searchkit.basics.text import text_table
from searchkit.problem import Cost
from searchkit.trace.recording import Recording
from searchkit.trace.replay import Replay

HEAD, TAIL = 30, 5
"""How many rows are printed of the beginning and of the end of a long table."""


class Step(NamedTuple):
    """One expansion."""

    step: int
    """Which expansion it is, from 1."""
    state: str
    """The label of the node."""
    g: Cost
    """The cost so far."""
    h: Cost | None
    """The heuristic value; None if the engine uses none."""
    f: Cost
    """f = g + weight · h, or g."""
    frontier: int | tuple[str, ...]
    """How many nodes are open just before it; or their labels, in the order in which they are expanded."""


class StepTable(tuple[Step, ...]):
    """The expansions of a recording: a sequence of rows that prints as a table. Slices are tables, too."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return StepTable(found) if isinstance(index, slice) else found

    def __repr__(self) -> str:
        hidden = max(0, len(self) - HEAD - TAIL)
        shown = [*self[:HEAD], *self[-TAIL:]] if hidden else self
        lines = text_table(Step._fields, map(_cells, shown), left=("state", "frontier"))
        return "\n".join(
            [*lines[: HEAD + 1], f"… {hidden:,} more …", *lines[HEAD + 1 :]] if hidden else lines
        )


def trace_table(recording: Recording[Any, Any], *, frontier: bool = False) -> StepTable:
    """Return the table that textbooks draw of a search: step, state, g, h, f and the frontier of each expansion.

    It prints aligned, `table[0].state` reads one cell, and `pandas.DataFrame(table)` is a data frame.

    Args:
        recording: the recording of a search.
        frontier: whether to list the labels of the frontier, in the order in which it will be expanded. This takes
            time proportional to its size for each row; without it, the column has the number of open nodes.

    Example:
        >>> from searchkit import problem_from, record, trace_table
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 2,
        ...                     heuristic=lambda x: abs(2 - x))
        >>> print(trace_table(record(line, "astar"), frontier=True))
        step  state  g  h  f  frontier
           1  0      0  2  2  0
           2  1      1  1  2  1, -1

    """
    replay = Replay(recording)
    rows: list[Step] = []
    for at in recording.expansions_at:
        node, g = recording.events.node[at], recording.events.g[at]
        replay.seek(at)
        listed = tuple(map(recording.label, replay.frontier)) if frontier else replay.open
        rows.append(
            Step(len(rows) + 1, recording.label(node), g, recording.h(node), recording.f(node, g), listed)
        )
    return StepTable(rows)


def _cells(step: Step) -> tuple[str, ...]:
    frontier = step.frontier
    listed = ", ".join(_line(label) for label in frontier) if isinstance(frontier, tuple) else str(frontier)
    h = "" if step.h is None else str(step.h)
    return str(step.step), _line(step.state), str(step.g), h, str(step.f), listed


def _line(label: str) -> str:
    """Return a label of several lines, such as a board, as one line."""
    return " / ".join(label.splitlines()) if "\n" in label else label
