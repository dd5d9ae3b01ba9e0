"""Constraints of one robot: where it must not be at given times, and when it may arrive."""

from array import array

from attrs import evolve, frozen

VERTEX, CLOSING = -1, -2
NEVER = 1 << 30


def row(time: int, here: int, there: int) -> bytes:
    """Return a constraint: no move from `here` to `there` that ends at a time.

    With `VERTEX` in place of a location, the robot must not be there at that time; with `CLOSING`, nor later.
    """
    return array("i", [time, here, there]).tobytes()


@frozen(cache_hash=True)
class Constraints:
    """The constraints of a robot. Times count from 0; a move *at* time t ends at t. Locations are numbers."""

    rows: bytes = row(-1, VERTEX, 0)
    """What it must not do, each a `row`; the first one forbids nothing."""
    earliest: int = 0
    """The robot pays for at least this many steps, even if it is at its goal sooner."""
    latest: int = NEVER
    """The time by which it has to be at its goal for good."""

    def without(self, rows: bytes, earliest: int = 0) -> "Constraints":
        """Return these constraints and others, and a time before which the robot does not arrive for good."""
        return evolve(self, rows=self.rows + rows, earliest=max(self.earliest, earliest))

    def arrived(self, time: int) -> "Constraints":
        """Return these constraints, and that the robot has to be at its goal from a time on."""
        return evolve(self, latest=min(self.latest, time))
