"""Step tables: each expansion of a search in one row."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import define

from searchkit.basics.tables import data_frame, html_table, text_table
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


@define(eq=False, repr=False)
class StepTable(Sequence[Step]):
    """The expansions of a recording: a sequence of rows that prints as a table, in a notebook as HTML."""

    rows: Sequence[Step]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return StepTable(self.rows[index]) if isinstance(index, slice) else self.rows[index]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        shown, left_out = self._shown()
        lines = text_table(Step._fields, shown, left=("state", "frontier"))
        if left_out:
            lines.insert(HEAD + 1, left_out)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown, left_out = self._shown()
        return html_table(Step._fields, shown, (HEAD, left_out) if left_out else None)

    def _shown(self) -> tuple[list[tuple[str, ...]], str]:
        """Return the cells of the rows that are printed, and what is printed in place of others."""
        hidden = max(0, len(self.rows) - HEAD - TAIL)
        shown = [*self.rows[:HEAD], *self.rows[-TAIL:]] if hidden else self.rows
        return list(map(_cells, shown)), f"… {hidden:,} more …" if hidden else ""

    def to_pandas(self) -> Any:
        """Return a pandas data frame with the same columns. Raises `MissingExtraError` if pandas is not installed."""
        return data_frame(Step._fields, self.rows)


def trace_table(recording: Recording[Any, Any], *, frontier: bool = False) -> StepTable:
    """Return the table that textbooks draw of a search: step, state, g, h, f and the frontier of each expansion.

    It prints aligned, a notebook shows it as HTML, `table[0].state` reads one cell, and `table.to_pandas()` returns a
    data frame.

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
