"""What an answer rests on: `Result.assumes`, `verify_heuristic`, and what `compare` finds out."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, SearchProblem, Status, compare, problem_from, solve, verify_heuristic
from searchkit.errors import InvalidOptionError
from searchkit.testing import WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs

ADMISSIBLE = "the heuristic never overestimates"
INADMISSIBLE = digraph("0 -1→ 1, 0 -3→ 2, 1 -1→ 2", [0], [2], {0: 0, 1: 9, 2: 0})
"""The heuristic hides the path of cost 2; A* finds the one of cost 3."""


@pytest.mark.parametrize(
    ("engine", "assumes"),
    [("astar", ADMISSIBLE), ("greedy", ""), ("idastar", ADMISSIBLE), ("dijkstra", ""), ("bfs", "")],
)
def test_what_a_result_rests_on(engine: str, assumes: str) -> None:
    """The bounds of engines that use the heuristic rest on it; a bound of 0 rests on nothing."""
    result = solve(INADMISSIBLE, engine)
    assert result.assumes == assumes
    assert result.to_dict()["assumes"] == (assumes or None)
    assert (" if the heuristic is admissible" in str(result)) == bool(assumes)


def test_a_heuristic_that_overestimates_beside_the_path_is_found() -> None:
    """3 is not the least: the bound becomes that of a cheapest path, and the warning says where."""
    result = solve(INADMISSIBLE, "astar")
    assert (result.cost, result.optimal) == (3, True)
    verified = verify_heuristic(INADMISSIBLE, result)
    assert (verified.optimal, verified.lower_bound, verified.assumes) == (False, 2, "")
    assert verified.warnings[-1] == (
        "heuristic is not admissible: heuristic(1) is 9, but a path of cost 1 leads from there to a goal; a cheapest "
        "path costs 2"
    )


def test_a_heuristic_that_excludes_every_path_proves_nothing() -> None:
    """Infinity in a state from which a goal is reached: unsolvable becomes a cutoff."""
    problem = digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 0, 1: inf, 2: 0})
    result = solve(problem, "astar")
    assert (result.status, result.assumes) == (Status.UNSOLVABLE, ADMISSIBLE)
    verified = verify_heuristic(problem, result)
    assert (verified.status, verified.lower_bound) == (Status.CUTOFF, 2)


@given(weighted_digraphs(heuristic="admissible"), st.sampled_from(["astar", "idastar", "greedy"]))
def test_an_admissible_heuristic_is_verified(problem: WeightedDigraph, engine: str) -> None:
    """Nothing but the assumption changes."""
    result = solve(problem, engine)
    verified = verify_heuristic(problem, result)
    assert verified.assumes == ""
    assert (verified.lower_bound, verified.warnings) == (result.lower_bound, result.warnings)


@given(weighted_digraphs("int"), st.dictionaries(st.integers(0, 6), st.integers(0, 9)))
def test_a_verified_bound_is_true(graph: WeightedDigraph, table: dict[int, int]) -> None:
    """With any heuristic."""
    problem = digraph(graph.edges, graph.starts, graph.goals, table)
    verified = verify_heuristic(problem, solve(problem, "astar"))
    assert verified.lower_bound <= explore(problem).least_cost
    assert not verified.assumes


class Guided(SearchProblem[int, str]):
    """A line that is searched from both ends; the backward heuristic of 2 may be too high."""

    def __init__(self, least: int) -> None:
        self.least = least

    def initial_states(self) -> list[int]:
        return [0]

    def goal_states(self) -> list[int]:
        return [3]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("+", state + 1)] if state < 3 else []

    def predecessors(self, state: int) -> list[tuple[str, int]]:
        return [("+", state - 1)] if state > 0 else []

    def heuristic(self, state: int) -> int:
        return 3 - state

    def backward_heuristic(self, state: int) -> int:
        return self.least if state == 2 else state


def test_both_heuristics_are_verified() -> None:
    """Of a problem that is guided in both directions."""
    assert solve(Guided(2), "dstar_lite").assumes == ADMISSIBLE
    right, wrong = (verify_heuristic(Guided(least), solve(Guided(least), "nbs")) for least in (2, 5))
    assert (right.assumes, right.warnings) == ("", ())
    assert wrong.lower_bound == 3
    assert "backward_heuristic(2) is 5, but a path of cost 2 leads there from a start" in wrong.warnings[-1]


def test_limits_of_the_check() -> None:
    """If a limit is reached, the result still rests on the heuristic, and a warning says so."""
    endless = problem_from([0], lambda x: [("+", x + 1)], lambda x: x == 3, heuristic=lambda x: max(3 - x, 0))
    result = solve(endless, "astar")
    for limits, reached in {
        Limits(expansions=500): "the limit of 500 expansions",
        Limits(seconds=0): "the limit of 0 seconds",
    }.items():
        verified = verify_heuristic(endless, result, limits=limits)
        assert verified.assumes == ADMISSIBLE
        assert verified.warnings == (f"the heuristic was not verified: cut off by {reached}",)
    with pytest.raises(InvalidOptionError, match="expected a result"):
        verify_heuristic(endless, "astar")  # type: ignore[arg-type]  # what is tested


def test_compare_shows_a_contradiction() -> None:
    """A path that is cheaper than another engine's bound: the heuristic overestimates, and the note says where."""
    table = compare(INADMISSIBLE, ["astar", "dijkstra"])
    astar, dijkstra = (row.result for row in table)
    assert astar is not None
    assert dijkstra is not None
    assert (astar.cost, astar.optimal, astar.lower_bound) == (3, False, 2)
    assert (dijkstra.cost, dijkstra.optimal) == (2, True)
    assert str(table).splitlines()[-1] == (
        "astar: heuristic is not admissible: heuristic(1) is 9, but a path of cost 1 leads from there to a goal; "
        "dijkstra found a path of cost 2, below the bound 3"
    )
