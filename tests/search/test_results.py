"""The contents of a result: the cost, what is proved, which start and goal, and the warnings."""

import json
from fractions import Fraction
from math import inf
from typing import Any
from unittest.mock import ANY

import attrs
import pytest
from attrs import frozen

from searchkit import Limits, Search, Status, certify, load, problem_from, solve
from searchkit.basics.lookalikes import lookalikes
from searchkit.errors import InvalidProblemError
from searchkit.testing import Edge, digraph

# 0 ─1→ 1 ─1→ 2 ─1→ 3, and the expensive direct path 0 ─9→ 3
DETOUR = [Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)]


def test_breadth_first_on_costs_warns_and_is_not_optimal() -> None:
    """For bfs, one expensive action is better than three cheap ones: its cost is correct, and not called optimal."""
    result = solve(digraph(DETOUR, [0], [3]), "bfs")
    assert result.cost == 9
    assert not result.optimal
    assert result.lower_bound == 0
    assert result.warnings == ("bfs ignores costs: its path need not cost the least; dijkstra's does",)


def test_an_inconsistent_heuristic_is_named() -> None:
    """The textbook case in which A* without reopening answers 6: A* reopens, answers 5 and names the faulty step."""
    #      0 ─1→ 1 ─1→ 2 ─3→ 3      0 ─3→ 2: reached late because h(1) is high
    edges = [Edge(0, 1, 1), Edge(1, 2, 1), Edge(0, 2, 3), Edge(2, 3, 3)]
    problem = digraph(edges, [0], [3], {0: 0, 1: 4, 2: 0, 3: 0})
    for engine in ("astar", "bucket"):
        result = solve(problem, engine)
        assert result.cost == 5
        assert result.optimal
        assert result.statistics.reopened == 1
        assert result.warnings == (
            "heuristic is inconsistent between 1 and 2: it drops by 3 more than the step costs",
        )


def test_an_inconsistency_by_rounding_is_told_apart() -> None:
    """0.1 + 0.2 is above 0.3 in floats: state 2 is reached again, cheaper by the last bit, and the warning says so."""
    edges = [Edge(0, 2, 0.1 + 0.2), Edge(0, 3, 0.1), Edge(3, 2, 0.2 - 3e-17), Edge(2, 4, 1.0)]
    problem = digraph(edges, [0], [4], {0: 0.0, 2: 0.0, 3: 0.2 + 1e-16, 4: 0.0})
    result = solve(problem, "astar")
    assert result.statistics.reopened == 1
    assert result.warnings == (
        "heuristic is inconsistent between 3 and 2 by a rounding error of floats; "
        "exact costs, such as integers, avoid it",
    )


def test_weighting_a_consistent_heuristic_is_no_inconsistency() -> None:
    """Weighted A* reopens states although the heuristic is consistent: no warning blames the heuristic."""
    # 0 ─1→ 1 ─1→ 2 ─5→ 3 ─5→ 4, and 0 ─3→ 2, which w·h makes look better than the path through 1
    edges = [Edge(0, 1, 1), Edge(1, 2, 1), Edge(0, 2, 3), Edge(2, 3, 5), Edge(3, 4, 5)]
    result = solve(digraph(edges, [0], [4], {0: 6, 1: 6, 2: 5, 3: 5, 4: 0}), "wastar", weight=3)
    assert result.statistics.reopened == 1
    assert result.warnings == ()


def test_an_overestimate_is_named_and_the_bound_withdrawn() -> None:
    """The heuristic value of a state on the path exceeds the rest: a warning names it, and nothing is optimal."""
    problem = digraph(DETOUR, [0], [3], {0: 20, 1: 50, 2: 1, 3: 0})
    for engine in ("astar", "bucket", "idastar", "wastar", "greedy"):
        result = solve(problem, engine)
        assert result.cost == 9
        assert result.warnings == (
            "heuristic is not admissible: heuristic(0) is 20, but a path of cost 9 leads from there to a goal; "
            "a cheaper path than this one may exist",
        )
        assert not result.optimal
        assert result.lower_bound <= 1


def test_an_infinite_heuristic_prunes_dead_ends() -> None:
    """A state with an infinite heuristic value is never expanded, not even a start."""
    edges = [Edge(0, 1), Edge(1, 2), Edge(2, 1), Edge(0, 3)]
    problem = digraph(edges, [0], [3], {0: 1, 1: inf, 2: 0, 3: 0})
    for engine in ("astar", "bucket", "greedy", "wastar", "idastar"):
        result = solve(problem, engine)
        assert (result.cost, result.statistics.expanded) == (1, 1)
        hopeless = digraph(edges, [1, 2], [3], {0: 1, 1: inf, 2: inf, 3: 0})
        assert solve(hopeless, engine).status is Status.UNSOLVABLE


def test_what_auto_chooses_and_why() -> None:
    """The choice depends on what the problem offers; the result gives the reason, unless the user chose."""
    heuristic = digraph(DETOUR, [0], [3], dict.fromkeys(range(4), 0))
    expected = {
        "bfs": (digraph("0 → 3, 0 → 1, 1 → 2, 2 → 3", [0], [3]), "every action costs 1"),
        "bucket": (digraph(DETOUR, [0], [3]), "integers"),
        "dijkstra": (digraph([Edge(0, 3, 0.5)], [0], [3]), "not integers"),
        "astar": (heuristic, "has a heuristic"),
    }
    for engine, (problem, why) in expected.items():
        result = solve(problem)
        assert result.engine == engine
        assert result.engine_choice.startswith(f"auto chose {engine}: ")
        assert why in result.engine_choice
        assert result.backend == "python"
        assert solve(problem, engine).engine_choice == ""


@pytest.mark.parametrize("step", [None, 7, 1500])
def test_auto_compares_a_long_search_with_a_bidirectional_one(step: int | None) -> None:
    """The one that has proved more after 1,000 expansions continues, however the search is divided into runs."""
    for pegs in (3, 4):
        search = Search(load("hanoi", discs=7, pegs=pegs))
        while not search.ended:
            result = search.run(Limits(expansions=step))
        assert result.engine_choice.startswith(
            "auto chose bidirectional: after 1,000 expansions it had proved "
        )
        alone = solve(load("hanoi", discs=7, pegs=pegs), "bidirectional")
        assert (result.engine, result.solution) == ("bidirectional", alone.solution)
        assert result.statistics.expanded == alone.statistics.expanded
    assert solve(load("pancakes8")).engine == "astar"


def test_a_result_reads_as_a_sentence() -> None:
    """`print(result)` shows the outcome, the cost, what is proved and the work."""
    problem = digraph(DETOUR, [0], [3], {0: 2, 1: 2, 2: 1, 3: 0})
    assert (
        str(solve(problem, "astar"))
        == "solved: cost 3 (optimal if the heuristic is admissible), 3 actions; astar expanded 3 states"
    )
    assert "at least 2 is needed" in str(solve(problem, "greedy"))
    search: Search[int, int] = Search(problem, "astar")
    assert "cut off by the limit of 1 expansions: any path costs at least 3" in str(
        search.run(Limits(expansions=1))
    )


def test_a_cost_that_is_only_wrong_on_the_path_of_a_unit_engine() -> None:
    """Breadth-first search never calls `cost` while it searches; the costs of the path are checked all the same."""
    problem = problem_from([0], lambda x: [("on", x + 1)], lambda x: x == 2, cost=lambda *edge: -1)
    with pytest.raises(InvalidProblemError, match=r"cost\(0, 'on', 1\) is -1; expected a finite number ≥ 0"):
        solve(problem, "bfs")


class Spot:
    """A state without == and hash."""

    def __init__(self, x: int):
        self.x = x


def test_states_compared_by_identity_are_warned_of() -> None:
    """Two states of equal content that are searched as two: the warning says what the class lacks."""
    line = problem_from(
        [Spot(0)], lambda s: [("left", Spot(s.x - 1)), ("right", Spot(s.x + 1))], lambda s: s.x == 9
    )
    result = solve(line)
    assert result.cost == 9
    (warning,) = result.warnings
    assert warning.startswith(
        "Spot(x=0) was reached twice, as two states that are not equal: Spot has no __eq__"
    )
    assert "Spot" in str(solve(line, limits=Limits(expansions=2)).warnings)


@pytest.mark.parametrize(
    "wrap",
    [lambda s: (s, 1), lambda s: frozenset([s]), lambda s: Pair(s, [1])],
    ids=["tuple", "frozenset", "dataclass"],
)
def test_a_part_of_a_state_that_is_compared_by_identity(wrap: Any) -> None:
    """Tuples, sets and frozen classes are equal if their parts are."""
    ones, others = wrap(Spot(1)), wrap(Spot(1))
    assert lookalikes([ones, others, wrap(Spot(2))]) == (ones, others)
    assert lookalikes([ones, wrap(Spot(2))]) is None


@frozen
class Pair:
    """A state that compares its parts."""

    spot: Spot
    rest: object = attrs.field(hash=False)


def test_weighted_a_star_proves_what_the_start_s_heuristic_says() -> None:
    """At the end, and at a limit: in its own units it proves no more than a third of it."""
    detour = digraph([Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 9)], [0], [3], {0: 9, 1: 9, 2: 9, 3: 0})
    result = solve(detour, "wastar", weight=3)
    assert (result.cost, result.lower_bound) == (11, 9)
    assert certify(detour, result).proved[-1] == "no path costs less than 9"
    assert solve(detour, "wastar", weight=3, limits=Limits(expansions=0)).lower_bound == 9
    assert solve(digraph(detour.edges, [0], [3], {0: 30}), "wastar", weight=3).lower_bound <= 11


def test_a_result_as_a_dictionary() -> None:
    """JSON holds it; what is infinite is None, and the partial path has the same form."""
    unsolvable = solve(digraph([Edge(0, 1)], [0], [7])).to_dict()
    assert json.loads(json.dumps(unsolvable)) == unsolvable
    assert (unsolvable["status"], unsolvable["cost"], unsolvable["lower_bound"]) == ("unsolvable", None, None)
    cut = solve(digraph(DETOUR, [0], [3]), "dijkstra", limits=Limits(expansions=1))
    assert cut.partial is not None
    assert cut.to_dict()["partial"] == cut.partial.to_dict() == {"cost": 1, "actions": ANY, "states": [0, 1]}
    proved = solve(digraph(DETOUR, [0], [3]), "dijkstra", certificate=True).to_dict()
    assert proved["certificate"] == {"file": None, "states": 3, "lower_bound": 3}


def test_states_and_actions_of_numpy_are_numbers_in_json() -> None:
    """Integers and floats of other types; what JSON can't hold stays a text."""
    np = pytest.importorskip("numpy")
    problem = problem_from(
        [(np.int64(0), np.float32(0.5))],
        lambda s: [(np.uint8(1), (s[0] + 1, s[1]))] if s[0] < 2 else [],
        lambda s: s[0] == 2,
    )
    found = json.loads(json.dumps(solve(problem).to_dict()))
    assert (found["actions"], found["states"]) == ([1, 1], [[0, 0.5], [1, 0.5], [2, 0.5]])
    assert solve(problem_from([Fraction(1, 2)], lambda s: [], lambda s: True)).to_dict()["states"] == [
        "Fraction(1, 2)"
    ]
