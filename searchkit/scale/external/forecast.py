"""How much is left of a search on disk, as far as that can be told from its last layers."""

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from attrs import Factory, define

LOOKED_AT = 6
"""How many ratios between neighbouring layers the rest is estimated from."""
LEAST = 8
"""Smaller layers say nothing about larger ones."""
FASTEST = 1.25
"""While layers grow by more than this factor, an estimate may be wrong by orders of magnitude: there is none."""
CLEAR = 0.005
"""The logarithm of the ratio has to fall by more than this from layer to layer. On a plane without end, where layers
grow along a line, it falls less from the fifteenth layer on."""
MOST_LAYERS = 1000
"""No estimate is made of so many layers."""


class Rest(NamedTuple):
    """What is left of a search that finds no goal."""

    layers: int
    states: float


def rest_of(sizes: Sequence[int]) -> Rest | None:
    """Estimate the layers that follow the last one; None if they can't be told from the sizes of the layers so far.

    The logarithm of the ratio between two neighbouring layers is assumed to fall as it fell on average, as it does in
    puzzles. After the largest layer of 5×2 tiles, the estimate was within 20 % until layers had fewer than 100 states.
    """
    last = sizes[-LOOKED_AT - 1 :]
    if len(last) <= LOOKED_AT or min(last) < LEAST:
        return None
    logs = [log(after / before) for before, after in pairwise(last)]
    middle, mean = (LOOKED_AT - 1) / 2, sum(logs) / LOOKED_AT
    slope = sum((place - middle) * one for place, one in enumerate(logs))
    slope /= sum((place - middle) ** 2 for place in range(LOOKED_AT))
    growth = mean + slope * (LOOKED_AT - 1 - middle)
    if slope > -CLEAR or growth > log(FASTEST):
        return None
    size, layers, states = float(last[-1]), 0, 0.0
    while layers <= MOST_LAYERS:
        growth += slope
        size *= exp(growth)
        if size < 1:
            return Rest(layers, states)
        layers, states = layers + 1, states + size
    return None


@define
class Pace:
    """The time that rounds take, without the time between the runs of a search."""

    _rounds: deque[tuple[int, float]] = Factory(lambda: deque(maxlen=3))
    """The states and the seconds of the last rounds."""
    _now: float = 0.0
    """The seconds of this round."""

    def spend(self, seconds: float) -> None:
        """Add to the time of this round."""
        self._now += seconds

    def end(self, states: int) -> None:
        """Note that a round ended, which has expanded so many states."""
        self._rounds.append((states, self._now))
        self._now = 0.0

    def text(self, sizes: Sequence[int], long: bool) -> str:
        """Return what is left: of the round, and of the search if it finds no goal before.

        Args:
            sizes: the states of each layer; the last one is expanded in this round.
            long: whether the round takes more than a moment.

        """
        states, seconds = (
            (sum(column) for column in zip(*self._rounds, strict=True)) if self._rounds else (0, 0.0)
        )
        each = seconds / states if states else None
        parts = []
        if long and each is not None:
            parts.append(f"round: about {said(max(0.0, sizes[-1] * each - self._now))} left")
        rest = rest_of(sizes)
        if rest is not None and each is not None:
            time = said(max(0.0, (sizes[-1] + rest.states) * each - self._now))
            parts.append(f"without a goal: about {rest.layers} layers and {time} left")
        elif long:
            parts.append("the end is not in sight")
        return "; ".join(parts)


def said(seconds: float) -> str:
    """Return a time in a unit of which there are at least two, except seconds."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(1.0, seconds):.0f} s"
