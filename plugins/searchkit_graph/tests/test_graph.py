"""Graphs keep the promises of a problem, and their heuristics those of a heuristic."""

from math import inf
from sys import float_info
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from searchkit import certify, solve
from searchkit.plugin import InvalidOptionError, InvalidProblemError, MissingCapabilityError
from searchkit.testing import check_heuristic, check_problem, explore
from searchkit_graph import ExplicitGraph, explicit_graph
from searchkit_graph.spec import SPEC
from searchkit_graph.strategies import graphs


def test_every_promise_of_a_problem() -> None:
    """Successors and their inverse, costs, drawings, and what is written is read back."""
    assert check_problem(SPEC, examples=20).holds


@given(graphs())
@settings(max_examples=300)
def test_least_costs_are_those_of_the_oracle(problem: ExplicitGraph) -> None:
    """Of all engines that `auto` chooses between."""
    result = solve(problem)
    assert (inf if result.cost is None else result.cost) == explore(problem).least_cost
    assert result.warnings == ()


@given(graphs(located=True).filter(lambda graph: graph.straight_line is not None))
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
def test_the_straight_line_never_overestimates(problem: ExplicitGraph) -> None:
    """Nor does it drop by more than a step costs: A* reopens nothing."""
    exact = explore(problem).to_goals
    for state in problem.network.names:
        h = problem.heuristic(state)
        assert h <= exact.get(state, inf)
        costs: Any = getattr(problem, "cost", None)
        for action, successor in problem.successors(state):
            step = 1 if problem.network.costs is None else costs(state, action, successor)
            assert h <= step + problem.heuristic(successor)
    assert solve(problem, "astar").statistics.reopened == 0


def test_whole_costs_have_whole_estimates() -> None:
    """So that bucket queues take them; on a straight road they are as good as the rounding lets them be."""
    road = explicit_graph(
        [(0, 1, 10), (1, 2, 10), (2, 3, 10)], 0, 3, {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (3, 0)}
    )
    assert [road.heuristic(node) for node in range(4)] == [29, 19, 9, 0]
    assert all(isinstance(road.heuristic(node), int) for node in range(4))
    assert check_heuristic(road).holds


@pytest.mark.parametrize("backend", ["python", "compiled"])
@pytest.mark.parametrize("engine", ["astar", "bucket", "wastar", "greedy", "idastar"])
def test_a_path_that_costs_more_than_the_largest_float_is_not_taken_for_no_path(
    engine: str, backend: str
) -> None:
    """The heuristic value of the start would be infinity, which means that no goal can be reached."""
    places = {"S": (0, 0), "A": (1, 0), "G": (2, 0)}
    problem = explicit_graph([("S", "A", 1e308), ("A", "G", 1e308)], "S", "G", places, "straight-line")
    assert problem.heuristic("S") == float_info.max
    with pytest.raises(InvalidProblemError, match="costs more than the largest float"):
        solve(problem, engine, backend=backend)


def test_parallel_edges_are_told_apart() -> None:
    """The second has the action (head, 2); each has its own cost, in both directions."""
    problem = explicit_graph([("A", "B", 5), ("A", "C", 1), ("A", "B", 3), ("A", "A", 0)], "A", "B")
    assert problem.successors("A") == [("B", "B"), ("C", "C"), (("B", 2), "B"), ("A", "A")]
    assert problem.predecessors("B") == [("B", "A"), (("B", 2), "A")]
    result = solve(problem)
    assert result.solution is not None
    assert result.solution.actions == (("B", 2),)
    assert result.cost == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([("A", "B", -1)], "A", "B"),
            "from 'A' to 'B' costs -1; expected a float, or an integer ≤ 9223372036854775807",
        ),
        (([("A", "B", inf)], "A", "B"), "costs inf"),
        (([("A", "B", "3")], "A", "B"), "costs '3'"),
        (([("A", "B", 2**70)], "A", "B"), "costs 1180591620717411303424"),
        (([("A", "B", 1), ("B", "C")], "A", "B"), r"the edge is \('B', 'C'\); expected"),
        (([("A",)], "A", "B"), r"the edge is \('A',\); expected"),
        (([("A", "B", 1)], [], "B"), "no start"),
        (([("A", "B", 1)], "A", "B", {"A": (0, 0)}), "node 'B' has no coordinates; give"),
        (([("A", "B", 1)], "A", "B", {"A": (0, 0), "B": (0, 1e200)}), "the coordinates of node 'B'"),
    ],
)
def test_faulty_graphs_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    """The message names the edge or the node."""
    with pytest.raises(InvalidProblemError, match=message):
        explicit_graph(*arguments)


def test_a_straight_line_that_proves_nothing_is_refused_where_it_was_asked_for() -> None:
    """An edge of cost 0 between different places makes it 0, which is an error only if the heuristic was asked for."""
    edges, places = [("A", "B", 0), ("B", "C", 4)], {"A": (0, 0), "B": (3, 4), "C": (3, 5)}
    assert explicit_graph(edges, "A", "C", places).straight_line is None
    with pytest.raises(InvalidOptionError, match="the edge from A to B costs 0 and leads to another place"):
        explicit_graph(edges, "A", "C", places, "straight-line")
    with pytest.raises(InvalidOptionError, match="the nodes have no coordinates"):
        explicit_graph(edges, "A", "C", heuristic="straight-line")
    free_but_in_place = explicit_graph(edges, "A", "C", {**places, "B": (0, 0)}, "straight-line")
    assert free_but_in_place.heuristic("A") == free_but_in_place.heuristic("B") == 3


def test_a_node_with_too_many_edges_is_not_compiled() -> None:
    """Its successors could not be numbered; `auto` stays in Python."""
    star = explicit_graph([(0, leaf) for leaf in range(1, 70_000)], 0, 69_999)
    with pytest.raises(MissingCapabilityError, match="69,999 edges leave a node"):
        solve(star, "dijkstra", backend="compiled")
    assert solve(star, "dijkstra").cost == 1


def test_an_answer_about_a_graph_without_costs_is_certified() -> None:
    """Its edges cost 1, and it has no heuristic: both members are None."""
    problem = explicit_graph([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")], "a", "d")
    assert problem.cost is None
    assert certify(problem, solve(problem, "bidirectional")).accepted


class CountedNames(list[Any]):
    """Names of nodes that count how often one is read."""

    reads = 0

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("engine", ["dijkstra", "bidirectional", "k_best"])
def test_a_node_with_many_edges_takes_time_in_proportion_to_them(engine: str) -> None:
    """Its edges were scanned again for the cost, or the action, of each: 60 seconds for 40,000."""
    many = 500
    spokes = [(node, "hub", 2) for node in range(many)]
    star = [(hub, node, cost) for node, hub, cost in spokes] + spokes + [(many - 1, "end", 1)]
    network = explicit_graph(star, 0, "end").network
    names = CountedNames(network.names)
    problem = ExplicitGraph(evolve(network, names=names), [0], ["end"])
    assert solve(problem, engine, backend="python").cost == 5
    assert names.reads < 50 * many


def test_an_action_that_is_also_the_name_of_a_node_has_the_cost_of_its_edge() -> None:
    """The second edge to B and the edge to the node ("B", 2) have one action, and had the cost of the first of them."""
    for many in (0, 100):
        others = [("A", node, 9) for node in range(many)]
        problem = explicit_graph([("A", ("B", 2), 1), ("A", "B", 5), ("A", "B", 3), *others], "A", "B")
        action = ("B", 2)
        assert [problem.cost("A", action, head) for head in (("B", 2), "B")] == [1, 3]
        assert solve(problem, backend="python").cost == 3
