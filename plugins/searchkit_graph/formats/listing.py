"""A graph as it was read from a file, and its problem."""

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from attrs import field, frozen

from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit_graph.network import Network
from searchkit_graph.problem import ExplicitGraph

WHOLE = re.compile(r"-?\d{1,1000}", re.ASCII)


@frozen(eq=False)
class Listing:
    """The contents of a graph file."""

    source: str
    """The name of the file in messages."""
    network: Network
    starts: Mapping[Any, int] = field(factory=dict)
    """Name → its line in the file."""
    goals: Mapping[Any, int] = field(factory=dict)

    def problem(self, options: Mapping[str, Any]) -> ExplicitGraph:
        """Return the problem with all options, as `ProblemSpec.parse` returns them.

        Raises `InputFormatError` if a start or a goal is missing or not a node, and `InvalidOptionError` as
        `ExplicitGraph` does.
        """
        if options["coordinates"] is not None and self.network.plane is None:
            raise InvalidOptionError(
                f"coordinates={options['coordinates']}: only graphs in the DIMACS format have them in a file of their "
                "own; in an edge list, say node A 3 4 before the edges"
            )
        starts = self._nodes("start", options["start"], self.starts)
        goals = self._nodes("goal", options["goal"], self.goals)
        if not starts:
            raise self._missing("start")
        if not goals and options["goal"] is None:
            raise self._missing("goal")
        return ExplicitGraph(self.network, starts, goals, options["heuristic"])

    def _nodes(self, what: str, chosen: Iterable[Any] | None, own: Mapping[Any, int]) -> list[Hashable]:
        found, names = [], self.network.names
        for name in own if chosen is None else chosen:
            node = self.network.find(name)
            if node is None and isinstance(name, str) and WHOLE.fullmatch(name):
                node = self.network.find(int(name))  # the command line passes text
            if node is None:
                first = ", ".join(map(str, names[:3])) + ", …" * (len(names) > 3)
                raise InputFormatError(
                    f"the {what} {name} is not a node of the graph; its nodes are {first or 'none'}",
                    source=self.source,
                    line=own[name] if chosen is None else None,
                )
            found.append(names[node])
        return found

    def _missing(self, what: str) -> InputFormatError:
        none = "; goal=() for none, as for a distance map" if what == "goal" else ""
        return InputFormatError(
            f"the graph has no {what}: give one with --{what} NAME (in Python {what}=name{none}), or, at the top of an "
            f"edge list, a line {what} NAME; if this is not a graph, name its kind with --problem",
            source=self.source,
        )
