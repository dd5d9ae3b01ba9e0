"""One row of a comparison: the same work done in two ways, in one process, in turn – A B A B – and compared."""

import gc
from collections.abc import Callable
from time import process_time

from attrs import frozen

from benchmarks.kit.spread import Spread
from searchkit.errors import SearchkitError

LEAST, MOST = 3, 25
"""How often a row is timed, whatever it takes; and where its time allows."""


@frozen
class Outcome:
    """What a piece of work has found."""

    value: float
    """What both ways have to agree on."""
    expanded: int = 0
    """States expanded; 0 where nobody counts."""


@frozen
class Work:
    """The same work, by the reference and by us. Each returns a number that has to agree, or an `Outcome`."""

    name: str
    reference: Callable[[], float | Outcome]
    ours: Callable[[], float | Outcome]
    target: float | None = None
    """The ratio to reach; None where none is set."""
    remark: str = ""


@frozen
class Row:
    """What was measured of one piece of work. Seconds are medians of CPU time, ratios those of neighbouring runs."""

    name: str
    target: float | None
    remark: str
    rounds: int = 0
    reference: float = 0.0
    """Seconds."""
    ours: float = 0.0
    """Seconds."""
    ratio: Spread | None = None
    agree: bool | None = None
    """Whether both found the same; None where one of them could not be run."""
    expanded_reference: int = 0
    expanded_ours: int = 0
    problem: str = ""
    """Why nothing was measured."""

    @property
    def per_expansion(self) -> float | None:
        """The ratio of the times for one expansion; None where nobody counted them."""
        if not (self.ratio and self.expanded_ours and self.expanded_reference):
            return None
        return self.ratio.median * self.expanded_reference / self.expanded_ours


def measure(work: Work, seconds: float) -> Row:
    """Run both in turn for about so many seconds, at least three times each, after a run of each that warms up."""
    try:
        outcomes = [_outcome(way()) for way in (work.reference, work.ours)]
    except SearchkitError as error:
        return Row(work.name, work.target, work.remark, problem=str(error))
    times: tuple[list[float], list[float]] = ([], [])
    gc.collect()
    gc.freeze()  # what is held beforehand is nothing to be looked through during a search
    try:
        while len(times[0]) < LEAST or (sum(map(sum, times)) < seconds and len(times[0]) < MOST):
            for side, way in enumerate((work.reference, work.ours)):
                gc.collect()
                begin = process_time()
                found = way()
                times[side].append(process_time() - begin)
                outcomes.append(_outcome(found))
                del found
    finally:
        gc.unfreeze()
    first = outcomes[0]
    return Row(
        work.name,
        work.target,
        work.remark,
        rounds=len(times[0]),
        reference=Spread.of(times[0]).median,
        ours=Spread.of(times[1]).median,
        ratio=Spread.of([own / theirs for theirs, own in zip(*times, strict=True)]),
        agree=all(_close(first.value, other.value) for other in outcomes),
        expanded_reference=first.expanded,
        expanded_ours=outcomes[1].expanded,
    )


def _outcome(found: float | Outcome) -> Outcome:
    return found if isinstance(found, Outcome) else Outcome(found)


def _close(one: float, other: float) -> bool:
    """Whether two values are the same but for rounding."""
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
