"""`certify` accepts what is true, rejects what is not, and says what it took for granted."""

from math import inf

import pytest
from attrs import evolve

from searchkit import Limits, Result, Search, Status, certify, problem_from, solve
from searchkit.testing import Edge, digraph


def test_no_path_claimed_without_a_search_is_not_true() -> None:
    """Nothing contradicts it, and nothing supports it: `if certify(…)` must not treat it as proved."""
    lie = evolve(solved(), solution=None, lower_bound=inf, status=Status.UNSOLVABLE, search=None)
    verdict = certify(DETOUR, lie)
    assert not verdict
    assert verdict.accepted
    assert verdict.unproved == (
        "no path exists: dijkstra proved it by its search, which this result is without; solve again, or with "
        "certificate=True",
    )


def test_a_step_among_too_many_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots that move at once have 10²⁰ successors: the path is left out, which is said, and listed as unproved."""
    monkeypatch.setattr("searchkit.certificates.make.MAX_STATES", 100)
    wide = problem_from([0], lambda state: ((n, n) for n in range(1, 300)), lambda state: state == 299)
    result = solve(wide, "bfs", certificate=True)
    assert result.certificate is not None
    assert (result.certificate.path, result.certificate.cost) == ((), None)
    assert "more than 100 successors" in result.certificate.shortfall
    verdict = certify(wide, result)
    assert verdict.accepted
    assert "more than 100 successors" in verdict.unproved[0]


DETOUR = digraph([Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)], [0], [3])


def solved() -> Result[int, int]:
    """Return a true result for the case above."""
    return solve(DETOUR, "dijkstra")


def test_what_a_verdict_says() -> None:
    """What was proved, in words; what was assumed; what could not be proved."""
    assert certify(DETOUR, solved()).proved == (
        "a path from a start to a goal costs 3",
        "no path costs less than 3",
    )
    # 0 ─1→ 1 ─1→ 2, and 3 next to the path, which only the heuristic rules out
    aside = digraph("0 -1→ 1, 1 -1→ 2, 0 -1→ 3, 3 -0→ 4", [0], [2], {0: 2, 1: 1, 2: 0, 3: 5, 4: 5})
    verdict = certify(aside, solve(aside, "astar"))
    assert verdict.assumed == (
        "the heuristic never overestimates at the end of the 1 step that it rules out",
    )
    unsolvable = digraph([Edge(0, 1)], [0], [7])
    assert certify(unsolvable, solve(unsolvable)).proved == ("no path exists",)
    assert certify(unsolvable, solve(unsolvable, "iddfs")).unproved == (
        "no path exists: iddfs holds no states to prove it by; dijkstra does",
    )
    assert (
        certify(DETOUR, evolve(solved(), solution=None)).objection
        == "it is called solved, and has no solution"
    )


def test_a_wrong_claim_of_no_path_is_rejected() -> None:
    """A search that saw only part of the space can't be passed off as one that saw all."""
    result = Search(DETOUR, "dijkstra").run(Limits(expansions=1))
    verdict = certify(DETOUR, evolve(result, status=Status.UNSOLVABLE, lower_bound=inf, partial=None))
    assert verdict.objection == "that no path exists does not follow from the states it reached"


def test_an_interrupted_search_is_not_proved_at_length() -> None:
    """Ctrl-C ends `solve --certificate` at once; the pass over what a long search had found took seconds more."""
    tree = problem_from([1], lambda n: [(0, 2 * n), (1, 2 * n + 1)], lambda n: False)
    search = Search(tree, "bfs", observers=[lambda search, _: search.statistics.expanded < 9_000 or stop()])
    stop = search.interrupt
    result = search.run(certificate=True)
    assert (result.cutoff, result.statistics.expanded) == ("an interruption", 9_001)
    assert result.certificate is not None
    assert (result.certificate.size, bool(result.certificate.shortfall)) == (0, True)
