"""A class with the three members that are required, and nothing else, is a problem wherever one is taken."""

from typing import assert_type

from searchkit import (
    DistanceMap,
    Result,
    Search,
    SupportsSearch,
    Verdict,
    certify,
    distance_map,
    solve,
    solve_many,
)
from searchkit.testing import check_compiled, check_heuristic, check_problem


class Jugs:
    """Water in a jug of three litres and one of five."""

    def initial_states(self) -> list[tuple[int, int]]:
        return [(0, 0)]

    def successors(self, state: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        three, five = state
        poured = min(three, 5 - five)
        return [("fill three", (3, five)), ("pour", (three - poured, five + poured))]

    def is_goal(self, state: tuple[int, int]) -> bool:
        return state[1] == 4


problem: SupportsSearch[tuple[int, int], str] = Jugs()
result = solve(Jugs())
assert_type(result, Result[tuple[int, int], str])
assert_type(Search(Jugs(), "bfs").run(), Result[tuple[int, int], str])
assert_type(certify(Jugs(), result), Verdict)
assert_type(distance_map(Jugs()), DistanceMap[tuple[int, int], str])
for each in solve_many([Jugs(), Jugs()], engine="bfs"):
    assert_type(each, Result[tuple[int, int], str])
check_problem(Jugs())
check_compiled(Jugs())
check_heuristic(Jugs(), lambda state, problem: 0)
