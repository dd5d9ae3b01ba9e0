"""`hub-labels` as machine code: same answer, path and counters as `searchkit_graph.labels.engine`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields, KernelRun, control
from searchkit.tree import SearchTree
from searchkit_graph.labels.compiled.asking import reader_of
from searchkit_graph.labels.engine import Ends, begin
from searchkit_graph.labels.table import Answer


class HubLabelling(KernelRun):
    """`hub-labels`, compiled."""

    def __init__(self, problem: Any, tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        labels = problem.hub_labels()
        self.reader = reader_of(labels)
        self.goals = problem.goal_states()
        self.numbers = np.array([problem.number(goal) for goal in self.goals], np.int64)
        self.ends = Ends(problem, labels)
        self.ends.read = self.reader.path
        begin(problem, tree, self.ends)

    @property
    def state(self) -> Any:
        """The start to be expanded next; at the end, the goal."""
        return self.tree.frontier[-1] if self.tree.frontier else self.tree.goal

    def slice(self, expansions: int) -> tuple[int, int]:
        """Compare the labels of up to `expansions` starts with those of the goals."""
        tree, ends, expanded = self.tree, self.ends, 0
        while tree.frontier and expanded < expansions:
            start = tree.frontier[-1]
            number = np.full(len(self.numbers), self.problem.number(start))
            values, places = self.reader.ask(number, self.numbers)
            if len(values):
                best = int(values.argmin())
                ends.compare(start, self.goals[best], Answer(int(values[best]), int(places[best])))
            tree.frontier.pop()
            tree.generated += len(self.goals)
            tree.closed.add(start)
            expanded += 1
            if len(self.goals) * expanded > self.steps:
                break
        return control.WORKED if tree.frontier else control.EXHAUSTED, expanded

    def show(self) -> None:
        """Do nothing: the tree is always up to date."""

    def handle(self, why: int) -> Iterator[None] | None:
        """End the search."""
        self.ended = True
        self.ends.finish(self.tree)
        return None

    def saved_arrays(self) -> dict[str, Any]:
        """Return how many starts were expanded: what was found is found again sooner than it is read."""
        return {"compared": len(self.tree.closed)}

    def restore_arrays(self, fields: Fields) -> None:
        """Expand as many starts again."""
        compared = fields.whole("compared", 0, len(self.tree.frontier))
        while len(self.tree.closed) < compared:
            self.slice(1)
        if not self.tree.frontier and fields.flag("found"):
            self.ends.finish(self.tree)
