"""What a search on disk says of the rest: an estimate if the layers allow one, and otherwise that they don't."""

from math import comb

import pytest

from searchkit.scale.external.forecast import Pace, rest_of, said

CUBE = [comb(40, depth) for depth in range(41)]
"""The layers of the vertices of a hypercube: 40 bits, one of which is flipped at a time."""


@pytest.mark.parametrize("depth", [19, 22, 28, 34])
def test_near_the_largest_layer_and_after_it(depth: int) -> None:
    """The estimate is near the layers that follow."""
    rest = rest_of(CUBE[: depth + 1])
    assert rest is not None
    assert rest.states == pytest.approx(sum(CUBE[depth + 1 :]), rel=0.2)
    assert rest.layers == pytest.approx(40 - depth, abs=2)


@pytest.mark.parametrize(
    "sizes",
    [[], [1], CUBE[:10], CUBE, [2**n for n in range(4, 30)], [100] * 20, [4 * n for n in range(1, 30)]],
)
def test_what_can_not_be_told(sizes: list[int]) -> None:
    """Few layers, tiny ones, such as grow fast, and such as do not shrink or grow along a line."""
    assert rest_of(sizes) is None
    pace = Pace()
    pace.spend(1.0)
    pace.end(100)
    if sizes:
        assert pace.text(sizes, long=True).endswith("left; the end is not in sight")
        assert pace.text(sizes, long=False) == ""


def test_times() -> None:
    """The time for a state in the last rounds gives that of the round and of the rest."""
    pace = Pace()
    assert "left" not in pace.text(CUBE[:23], long=True)
    for _ in range(4):
        pace.spend(10.0)
        pace.end(1000)
    pace.spend(2.0)
    text = pace.text([*[comb(22, depth) for depth in range(14)]], long=True)
    assert text.startswith(f"round: about {said(comb(22, 13) / 100 - 2)} left; without a goal: about ")
    assert "layers and " in text
    assert [said(seconds) for seconds in (0.1, 119.0, 7199.0, 86400.0, 2e6)] == [
        "1 s",
        "119 s",
        "120 min",
        "24 h",
        "23 days",
    ]
