"""Local search against its definition: what is returned, what is counted, what chance and seeds do."""

from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, SearchProblem
from searchkit.plugin import InvalidOptionError, InvalidProblemError, UnknownNameError
from searchkit_local import METHODS, CompleteQueens, LocalResult, Tour, local_search

QUICK: dict[str, dict[str, Any]] = {
    "hill_climbing": {"sideways": 3, "restarts": 2},
    "annealing": {"steps": 200, "temperature": 2.0, "cooling": 0.98},
    "local_beam": {"width": 4, "patience": 3},
    "genetic": {"population": 12, "generations": 15},
}
EVERY = pytest.mark.parametrize("method", METHODS)


class Line(SearchProblem[int, int]):
    """Numbers in a row with given values; each one's neighbours are those beside it."""

    def __init__(self, values: Any, start: int = 0):
        self.values, self.start = values, start
        self.asked = 0

    def initial_states(self) -> tuple[int]:
        return (self.start,)

    def successors(self, state: int) -> Iterator[tuple[int, int]]:
        for step in (-1, 1):
            if 0 <= state + step < len(self.values):
                yield step, state + step

    def is_goal(self, state: int) -> bool:
        return False

    def value(self, state: int) -> Any:
        self.asked += 1
        return self.values[state]


VALUES = st.lists(st.integers(-5, 5), min_size=1, max_size=12)


@given(VALUES, st.data(), st.integers(0, 3))
def test_hill_climbing_ends_where_nothing_is_better(
    values: list[int], data: st.DataObject, sideways: int
) -> None:
    """Each step goes to a best neighbour; only sideways moves are not upwards; the end has no better neighbour."""
    line = Line(list(values), data.draw(st.integers(0, len(values) - 1)))
    result = local_search(line, sideways=sideways, seed=data.draw(st.integers(0, 3)))
    for here, after in pairwise(result.values):
        assert after >= here
    flat = 0
    for here, after in pairwise(result.values):
        flat = flat + 1 if here == after else 0
        assert flat <= sideways
    assert result.value == max(result.values) == values[result.state]
    last = [at for at in range(len(values)) if values[at] == result.values[-1]]
    assert any(all(values[other] <= values[at] for _, other in line.successors(at)) for at in last)
    assert result.evaluated == line.asked


def test_steepest_ascent_and_a_plateau() -> None:
    """The best neighbour is taken, not the first better one; a plateau is crossed only with sideways moves."""
    assert local_search(Line([5, 1, 9], 1)).values == (1, 9)
    flat = Line([0, 1, 1, 1, 1, 7], 1)
    assert local_search(flat).value == 1
    assert max(local_search(flat, sideways=20, seed=seed).value for seed in range(5)) == 7


def test_restarts_begin_at_random_states() -> None:
    """They find what one climb does not, and stop at a goal."""
    boards = CompleteQueens(6)
    alone = [local_search(boards, seed=seed).goal for seed in range(30)]
    again = [local_search(boards, seed=seed, restarts=60).goal for seed in range(30)]
    assert sum(alone) < 15
    assert all(again)


@EVERY
@given(st.integers(0, 10_000))
def test_the_best_state_is_returned(method: str, seed: int) -> None:
    """The value is that of the state, no state that was yielded is better, and the count is that of calls."""

    class Counted(Tour):
        calls = 0

        def value(self, state: Any) -> float:
            Counted.calls += 1
            return super().value(state)

    Counted.calls = 0
    tour = Counted(places=((0, 0), (3, 1), (1, 4), (5, 5), (2, 2), (6, 0)), seed=seed)
    result = local_search(tour, method, seed=seed, **QUICK[method])
    assert result.evaluated == Counted.calls
    assert result.value == max(result.values) == tour.value(result.state)
    assert sorted(result.state) == [0, 1, 2, 3, 4, 5]
    assert result.steps == len(result.values) - 1
    assert not result.cut_off


@EVERY
def test_seeds_make_it_repeatable(method: str) -> None:
    """The same seed gives the same search; other seeds give others."""

    def run(seed: int) -> tuple[Any, ...]:
        result = local_search(CompleteQueens(8), method, seed=seed, **QUICK[method])
        return result.state, result.values, result.evaluated, result.stopped

    assert [run(seed) for seed in range(5)] == [run(seed) for seed in range(5)]
    assert len({run(seed) for seed in range(5)}) == 5


@EVERY
def test_it_stops_at_a_goal_and_at_limits(method: str) -> None:
    """A goal ends the search; a limit is named, and what was found until then is kept."""
    board = CompleteQueens(rows=(0, 2, 4, 1, 3))
    found = [local_search(board, method, seed=seed, **QUICK[method]) for seed in range(30)]
    reached = [result for result in found if result.goal]
    assert reached
    assert all(result.stopped == "it is a goal" and result.value == 0 for result in reached)
    assert all(result.values.count(0) == 1 for result in reached)
    cut = local_search(Tour(12, seed=1), method, limits=Limits(expansions=3), **QUICK[method])
    assert (cut.steps, cut.cut_off, cut.stopped) == (3, True, "the limit of 3 steps")
    none = local_search(Tour(12, seed=1), method, limits=Limits(seconds=0), **QUICK[method])
    assert (none.steps, none.stopped) == (0, "the limit of 0 seconds")


def test_annealing_takes_losses_by_their_probability() -> None:
    """With factor 1, a step that loses the temperature is taken with probability 1/e (36.8 %)."""
    step = Line([1, 0])
    values = local_search(step, "annealing", temperature=1.0, cooling=1.0, steps=40_000, seed=3).values
    tries = [(here, after) for here, after in pairwise(values) if here == 1]
    share = sum(after == 0 for _, after in tries) / len(tries)
    assert 0.36 < share < 0.376
    assert local_search(step, "annealing", temperature=1e-9, steps=500).values == (1,) * 501
    assert local_search(Line([1]), "annealing").stopped == "the state has no neighbours"


@pytest.mark.parametrize("seed", [1, 2])
def test_tours_are_near_the_shortest(seed: int) -> None:
    """Of eight cities, against all 2,520 tours; annealing and 2-opt with restarts find the shortest."""
    tour = Tour(8, seed=seed)
    shortest = min(tour.length((0, *order)) for order in permutations(range(1, 8)) if order[0] < order[-1])
    for method, options in (
        ("hill_climbing", {"restarts": 10}),
        ("annealing", {"temperature": 50.0, "cooling": 0.998, "steps": 5_000}),
    ):
        found = local_search(tour, method, seed=seed, **options)
        assert -found.value == pytest.approx(shortest, rel=1e-12)
        assert not found.goal
    goal = local_search(Tour(8, seed=seed, target=shortest * (1 + 1e-12)), restarts=50)
    assert goal.goal


def test_what_is_wrong_is_one_error() -> None:
    """Problems without values, names, options, values that are not numbers."""

    class Plain(SearchProblem[int, int]):
        def initial_states(self) -> list[int]:
            return [0]

        def successors(self, state: int) -> list[tuple[int, int]]:
            return []

        def is_goal(self, state: int) -> bool:
            return False

    with pytest.raises(InvalidProblemError, match=r"Plain has no values; local search needs value\(state\)"):
        local_search(Plain())
    with pytest.raises(UnknownNameError, match=r"'annealin' of local search: did you mean annealing\?"):
        local_search(Line([1]), "annealin")
    with pytest.raises(UnknownNameError, match="method 'annealing' has no option 'sideways'"):
        local_search(Line([1]), "annealing", sideways=1)
    for method, option, setting in (
        ("hill_climbing", "restarts", -1),
        ("hill_climbing", "sideways", 1.5),
        ("annealing", "cooling", 0),
        ("annealing", "temperature", "inf"),
        ("genetic", "mutation", 2),
        ("local_beam", "width", 0),
    ):
        with pytest.raises(InvalidOptionError, match=f"{option}={setting}: expected"):
            local_search(Line([1]), method, **{option: setting})  # type: ignore[arg-type]  # a name, not a seed
    wrong: tuple[object, ...] = (float("nan"), "high", None, True)
    for value in wrong:
        with pytest.raises(InvalidProblemError, match="expected a number, larger for better states"):
            local_search(Line([value]))


def test_results_say_what_they_are() -> None:
    """As text, and as a picture."""
    found: LocalResult = local_search(CompleteQueens(rows=(0, 0, 0, 0)), restarts=20, seed=1)
    assert str(found).startswith("value 0, a goal, after ")
    assert str(found.draw()).count("♛") == 5  # four, and the legend
    stuck = local_search(Line([1, 0]), seed=1)
    assert str(stuck) == (
        "value 1, not a goal, after 0 steps: no neighbour is better; hill_climbing evaluated 2 states\n"
        "local search proves nothing: a better state may exist"
    )
    assert str(local_search(Tour(5, "circle")).draw()).count("●") == 5  # four, and the legend
