"""The figures of the benchmark, as counters, on a smaller archipelago."""

from itertools import pairwise

import pytest

from benchmarks.problems.archipelago import archipelago, far_pairs
from benchmarks.problems.corridors import CELL, EXPANSIONS, RADIUS, compare, main
from searchkit import solve
from searchkit_corridor import CorridorGrid
from searchkit_corridor.spec import ENGINE
from searchkit_dungeon import Grid, Terrain


@pytest.fixture(scope="module")
def terrain() -> Terrain:
    """Return an archipelago of 500×250 cells."""
    return archipelago(500, 250, seed=1)


def test_the_map_is_two_thirds_water_and_the_same_everywhere(terrain: Terrain) -> None:
    """Fixed seeds, fixed maps."""
    assert terrain.passable / (500 * 250) == pytest.approx(2 / 3, abs=0.01)
    assert archipelago(500, 250, seed=1).weights == terrain.weights != archipelago(500, 250, seed=2).weights


def test_learning_saves_the_fall_backs(terrain: Terrain) -> None:
    """Rings fall back in some pairs, which costs expansions; with the proofs of failed phases, no ring falls back."""
    tallies, _ = compare(
        terrain, far_pairs(terrain, 12, 300, seed=1), ["fast", "optimal", "plain"], ["compiled"]
    )
    fast, optimal, plain = tallies
    means = {tally.name: sum(tally.parts) / len(tally.parts) for tally in (fast, optimal, plain)}
    assert plain.fall_backs > 0
    assert fast.fall_backs == optimal.fall_backs == 0
    assert (
        max(means["fast"], means["optimal"]) < 2 * EXPANSIONS
    )  # a corridor is wider in relation to a smaller map
    assert means["plain"] > 1.4 * means["optimal"]
    assert sum(optimal.excesses) <= sum(fast.excesses) < 12 * 0.05


@pytest.mark.long
def test_fast_and_optimal_expand_less_than_8_percent_on_a_map_of_some_size() -> None:
    """On average, fall-backs and widened masks included; on maps that are smaller still a corridor is too wide."""
    terrain = archipelago(900, 600, seed=2)
    pairs = far_pairs(terrain, 8, 700, seed=2)
    tallies, _ = compare(terrain, pairs, ["fast", "optimal"], ["python", "compiled"])
    for tally in tallies:
        assert len(tally.parts) == 8
        assert sum(tally.parts) / len(tally.parts) < EXPANSIONS
        assert tally.failed_first > 0
    for python, compiled in pairwise(tallies):
        if python.name == compiled.name:
            assert (python.parts, python.excesses) == (compiled.parts, compiled.excesses)


def test_proved_is_proved_on_a_map_of_some_size(terrain: Terrain) -> None:
    """The least cost, with fewer expansions than breadth-first search."""
    for one, other in far_pairs(terrain, 4, 300, seed=2):
        full = solve(Grid(terrain, [one], [other]), "bfs")
        proved = solve(CorridorGrid(terrain, [one], [other], CELL), ENGINE, variant="proved", radius=RADIUS)
        assert proved.cost == full.cost == proved.lower_bound
        assert proved.statistics.expanded < full.statistics.expanded


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small map; it prints its table with any times."""
    monkeypatch.setattr("benchmarks.problems.corridors.archipelago", lambda *size: archipelago(300, 150, 1))
    monkeypatch.setattr(
        "benchmarks.problems.corridors.far_pairs",
        lambda terrain, count, apart, seed: far_pairs(terrain, count, 150, seed),
    )
    main(["--pairs", "2", "--jps"])
    printed = capsys.readouterr().out
    assert "2 far pairs" in printed
    assert "jps, compiled" in printed
