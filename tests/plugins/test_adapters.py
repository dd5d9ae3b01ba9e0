"""`adapt`: problems of simpleai, aima-python and CS188 give the answers that they give without it, by every engine."""

import copy
import pickle
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings

from searchkit import SearchProblem, adapt, certify, compare, record, solve
from searchkit.plugin import has_cost, has_heuristic
from searchkit.testing import WeightedDigraph, check_heuristic, check_problem, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import engines_for_digraphs

ENGINES = [spec for spec in engines_for_digraphs() if not spec.requires and spec.costs != "zero-one"]
ROADS = digraph("0 -9→ 3, 0 -1→ 1, 1 -1→ 2, 2 -1→ 3", [0], [3], {0: 3, 1: 2, 2: 1})


class Theirs:
    """A graph; the base of the three below."""

    def __init__(self, graph: WeightedDigraph):
        self.graph = graph

    def edge(self, state: Any, action: int) -> Any:
        """Return where an edge leads."""
        return dict(self.graph.successors(state))[action]


class Simpleai(Theirs):
    """The graph with the members of simpleai."""

    @property
    def initial_state(self) -> Any:
        return self.graph.initial_states()[0]

    def actions(self, state: Any) -> list[int]:
        return [action for action, _ in self.graph.successors(state)]

    def result(self, state: Any, action: int) -> Any:
        return self.edge(state, action)

    def is_goal(self, state: Any) -> bool:
        return self.graph.is_goal(state)

    def cost(self, state: Any, action: int, state2: Any) -> Any:
        return self.graph.cost(state, action, state2)

    def heuristic(self, state: Any) -> Any:
        return self.graph.heuristic(state)


class Aima(Theirs):
    """The graph with the members of aima-python."""

    @property
    def initial(self) -> Any:
        return self.graph.initial_states()[0]

    def actions(self, state: Any) -> Iterable[int]:
        return iter([action for action, _ in self.graph.successors(state)])

    def result(self, state: Any, action: int) -> Any:
        return self.edge(state, action)

    def goal_test(self, state: Any) -> bool:
        return self.graph.is_goal(state)

    def path_cost(self, c: Any, state1: Any, action: int, state2: Any) -> Any:
        return c + self.graph.cost(state1, action, state2)

    def h(self, node: Any) -> Any:
        return self.graph.heuristic(node.state)


class Aima4(Theirs):
    """The graph with the members of the notebooks of the fourth edition."""

    initial, actions, result, h = Aima.initial, Aima.actions, Aima.result, Aima.h
    is_goal, action_cost = Simpleai.is_goal, Simpleai.cost


class CS188(Theirs):
    """The graph with the members of CS188."""

    def __init__(self, graph: WeightedDigraph):
        super().__init__(graph)
        self._expanded = 0

    def getStartState(self) -> Any:  # noqa: N802  # their names
        return self.graph.initial_states()[0]

    def isGoalState(self, state: Any) -> bool:  # noqa: N802
        return self.graph.is_goal(state)

    def getSuccessors(self, state: Any) -> list[tuple[Any, int, Any]]:  # noqa: N802
        self._expanded += 1
        return [
            (successor, action, self.graph.cost(state, action, successor))
            for action, successor in self.graph.successors(state)
        ]


class Expanding(Theirs):
    """The graph with the members that CS188 had in some years."""

    _expanded = 0
    getStartState, isGoalState, expand = CS188.getStartState, CS188.isGoalState, CS188.getSuccessors  # noqa: N815

    def getActionCost(self, state: Any, action: int, next_state: Any) -> Any:  # noqa: N802
        return self.graph.cost(state, action, next_state)


def guide(state: Any, problem: Any) -> Any:
    """Return the heuristic value as CS188 takes it."""
    return problem.graph.heuristic(state)


KINDS: dict[str, Callable[[WeightedDigraph], SearchProblem[Any, Any]]] = {
    "simpleai": lambda graph: adapt(Simpleai(graph)),
    "aima": lambda graph: adapt(Aima(graph)),
    "aima4": lambda graph: adapt(Aima4(graph)),
    "cs188": lambda graph: adapt(CS188(graph), heuristic=guide),
    "expanding": lambda graph: adapt(Expanding(graph), heuristic=guide),
}


def from_one_start(graph: WeightedDigraph) -> WeightedDigraph:
    """Return the graph with its first start alone, which is what the other libraries know."""
    return digraph(graph.edges, graph.starts[:1], graph.goals, graph.table, graph.states)


@given(graph=weighted_digraphs("Fraction", heuristic="admissible").map(from_one_start))
@settings(max_examples=30)
def test_every_engine_gives_the_same_result(graph: WeightedDigraph) -> None:
    """The same path, bound, warnings and counters as for the graph itself."""
    assume(has_cost(graph))  # a graph without edges has none, and a problem of CS188 has them all the same
    for spec in ENGINES:
        ours = solve(graph, spec)
        for kind, adapted in KINDS.items():
            theirs = solve(adapted(graph), spec)
            first, second = ours.to_dict(), theirs.to_dict()
            for each in (first, second):
                each["statistics"].pop("seconds")
            assert first == second, kind
            assert ours.solution == theirs.solution


@pytest.mark.parametrize("kind", KINDS)
def test_what_else_takes_a_problem(kind: str) -> None:
    """Certificates, recordings, comparisons, copies and pickles."""
    adapted = KINDS[kind](ROADS)
    result = solve(adapted, "astar", certificate=True)
    assert certify(adapted, result).accepted
    assert result.cost == 3
    assert record(adapted, "astar").expansions == result.statistics.expanded
    costs = {row.engine: row.result and row.result.cost for row in compare(adapted)}
    assert costs == {row.engine: row.result and row.result.cost for row in compare(ROADS, list(costs))}
    for again in (copy.copy(adapted), copy.deepcopy(adapted), pickle.loads(pickle.dumps(adapted))):
        assert solve(again, "astar").solution == result.solution
        assert repr(again).startswith("adapt(<")


def test_checks_take_an_adapted_problem() -> None:
    """It keeps the promises of the protocol, and check_heuristic knows its heuristic."""

    class Local(CS188):
        """It can't be pickled: other processes would import Hypothesis to read it, which takes seconds."""

    adapted = adapt(Local(ROADS), heuristic=guide)
    assert check_problem(adapted).holds
    assert check_heuristic(adapted).holds


def test_the_counters_of_the_problem_go_on_counting() -> None:
    """An expansion is one call of `getSuccessors`, and asking for the costs of the path is none."""
    problem = CS188(ROADS)
    result = solve(adapt(problem), "dijkstra")
    assert problem._expanded == result.statistics.expanded == 3
    assert result.cost == 3


def test_costs_are_known_without_an_expansion_before() -> None:
    """Such as those of a path that another process found; of two triples alike, the cheaper one counts."""

    class Parallel(CS188):
        def getSuccessors(self, state: Any) -> Any:  # noqa: N802
            return [("B", "go", 5), ("B", "go", Fraction(5, 2)), ("C", "go", 1)]

    adapted = adapt(Parallel(ROADS))
    assert adapted.cost("A", "go", "B") == Fraction(5, 2)


# The libraries themselves


def test_simpleai_gives_the_same_costs() -> None:
    """Its A* and ours, on its own base class."""
    library = pytest.importorskip("simpleai.search", reason="the extra bench has it")

    members = {name: getattr(Simpleai, name) for name in ("actions", "result", "is_goal", "edge", "cost")}
    roads = type("Roads", (library.SearchProblem,), {**members, "graph": ROADS})
    adapted = adapt(roads(0))
    assert (has_cost(adapted), has_heuristic(adapted)) == (True, False)
    found = library.uniform_cost(roads(0), graph_search=True)
    assert (solve(adapted, "dijkstra").cost, 3) == (found.cost, 3)


def test_aima_python_counts_the_same() -> None:
    """Its counting wrapper counts our calls as it counts its own, on its map of Romania."""
    library = pytest.importorskip("aima3.search", reason="pip install --no-deps aima3")
    romania = library.GraphProblem("Arad", "Bucharest", library.romania_map)
    ours, theirs = library.InstrumentedProblem(romania), library.InstrumentedProblem(romania)
    result = solve(adapt(ours), "astar")
    assert library.astar_search(theirs).path_cost == result.cost == 418
    assert (ours.succs, ours.states) == (theirs.succs, theirs.states) == (5, 15)
