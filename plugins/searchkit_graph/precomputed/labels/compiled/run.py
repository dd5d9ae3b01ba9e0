"""`hub-labels` as machine code: same answer, path and counters as `searchkit_graph.precomputed.labels.engine`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields, KernelRun, control
from searchkit.tree import SearchTree
from searchkit_graph.precomputed.labels.compiled.asking import reader_of
from searchkit_graph.precomputed.labels.engine import begin, finish
from searchkit_graph.precomputed.labels.table import Answer


class HubLabelling(KernelRun):
    """`hub-labels`, compiled."""

    def __init__(self, problem: Any, tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        labels = problem.hub_labels()
        self.reader = reader_of(labels)
        self.goals = problem.goal_states()
        self.numbers = np.array([problem.number(goal) for goal in self.goals], np.int64)
        begin(problem, tree)

    @property
    def state(self) -> Any:
        """The start to be expanded next; at the end, the goal."""
        queries = self.tree.frontier
        return queries.starts[-1] if queries.starts else queries.goal

    def slice(self, expansions: int) -> tuple[int, int]:
        """Compare the labels of up to `expansions` starts with those of the goals."""
        tree, queries, expanded = self.tree, self.tree.frontier, 0
        while queries.starts and expanded < expansions:
            start = queries.starts[-1]
            number = np.full(len(self.numbers), self.problem.number(start))
            values, places = self.reader.ask(number, self.numbers)
            if len(values):
                best = int(values.argmin())
                queries.compare(start, self.goals[best], Answer(int(values[best]), int(places[best])))
            queries.starts.pop()
            tree.generated += len(self.goals)
            tree.closed.add(start)
            expanded += 1
            if len(self.goals) * expanded > self.steps:
                break
        return control.WORKED if queries.starts else control.EXHAUSTED, expanded

    def show(self) -> None:
        """Do nothing: the tree is always up to date."""

    def handle(self, why: int) -> Iterator[None] | None:
        """Read the path, and end the search."""
        finish(
            self.problem, self.tree, self.reader.way
        )  # raises if that is not compiled yet, and is called again
        self.ended = True
        return None

    def saved_arrays(self) -> dict[str, Any]:
        """Return how many starts were expanded: what was found is found again sooner than it is read."""
        return {"compared": len(self.tree.closed)}

    def restore_arrays(self, fields: Fields) -> None:
        """Expand as many starts again."""
        compared = fields.whole("compared", 0, len(self.tree.frontier.starts))
        while len(self.tree.closed) < compared:
            self.slice(1)
        if not self.tree.frontier.starts and fields.flag("found"):
            finish(self.problem, self.tree, self.reader.way)
