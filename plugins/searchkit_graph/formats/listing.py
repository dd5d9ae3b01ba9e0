"""A graph as it was read from a file, and its problem."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from searchkit.plugin import InputFormatError
from searchkit_graph.problem import ExplicitGraph, find, numbering
from searchkit_graph.rows import Rows
from searchkit_graph.straight_line import Plane

WHOLE = re.compile(r"-?\d{1,1000}", re.ASCII)


@frozen(eq=False)
class Listing:
    """The contents of a graph file."""

    source: str
    """The name of the file in messages."""
    rows: Rows
    names: Sequence[Hashable]
    starts: Mapping[Any, int] = field(factory=dict)
    """Name → its line in the file."""
    goals: Mapping[Any, int] = field(factory=dict)
    plane: Plane | None = None
    hint: str = ""
    """How a file of this format names a start or a goal; "" if it can't."""

    def problem(self, options: Mapping[str, Any]) -> ExplicitGraph:
        """Return the problem with options that `searchkit_graph.options.parse` has read.

        Raises `InputFormatError` if a start or a goal is missing or not a node, and `InvalidOptionError` as
        `ExplicitGraph` does.
        """
        number = numbering(self.names)
        starts = self._nodes("start", number, options["start"], self.starts)
        goals = self._nodes("goal", number, options["goal"], self.goals)
        if not starts:
            raise self._missing("start")
        if not goals and options["goal"] is None:
            raise self._missing("goal")
        return ExplicitGraph(self.rows, self.names, starts, goals, self.plane, options["heuristic"])

    def _nodes(
        self, what: str, number: Callable[[Any], int], chosen: Iterable[Any] | None, own: Mapping[Any, int]
    ) -> list[Hashable]:
        found = []
        for name in own if chosen is None else chosen:
            node = find(number, name)
            if node is None and isinstance(name, str) and WHOLE.fullmatch(name):
                node = find(number, int(name))  # the command line passes text
            if node is None:
                first = ", ".join(str(self.names[node]) for node in range(min(3, len(self.names))))
                raise InputFormatError(
                    f"the {what} {name} is not a node of the graph; its nodes are {first or 'none'}"
                    + (", …" if len(self.names) > 3 else ""),
                    source=self.source,
                    line=own[name] if chosen is None else None,
                )
            found.append(self.names[node])
        return found

    def _missing(self, what: str) -> InputFormatError:
        draw = f"add a line {what} NAME at the top, or " if self.hint else ""
        none = "; goal=() for none, as for a distance map" if what == "goal" else ""
        return InputFormatError(
            f"the graph has no {what}: {draw}give one with --{what} NAME (in Python {what}=name{none})",
            source=self.source,
        )
