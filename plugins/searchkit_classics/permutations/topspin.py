"""TopSpin."""

from collections.abc import Iterable, Sequence
from random import Random

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.options import in_range, numbers, one_of

TURNING, HEURISTICS, MOST = ("counted", "free"), ("gap", "zero"), 100

State = tuple[int, ...]
"""The tokens, from the first one in the turnstile on; if turning is free, from token 1 on."""


class TopSpin(SearchProblem[State, str]):
    """Bring the tokens of a ring into order (TopSpin, Binary Arts 1988; (n, k) as in Chen and Skiena 1996).

    The first `k` places of the ring are in a turnstile. The actions are `flip`, which reverses the tokens in it, and
    `left` and `right`, which turn the whole ring by one place. If turning is free, only flips are actions: `flip 3`
    reverses the tokens from the third one after token 1 on. Each action costs 1.

    Args:
        ring: the tokens from 1 on in their order, such as `1,3,2,4,5`; "" for a ring that is mixed at random.
        n: the number of tokens of a mixed ring.
        k: the size of the turnstile.
        moves: by how many random actions a ring is mixed.
        seed: the seed of these.
        turning: `counted` or `free`.
        heuristic: `gap`, half of the neighbours that don't belong together: a flip parts two pairs; or `zero`.

    Raises:
        InvalidOptionError: the tokens are not 1, 2, …; or an option has another value.

    """

    def __init__(
        self,
        ring: str | Sequence[int] = "",
        n: int = 8,
        k: int = 4,
        moves: int = 20,
        seed: int = 0,
        turning: str = TURNING[0],
        heuristic: str = HEURISTICS[0],
    ):
        self.turning = one_of("turning", turning, TURNING)
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)
        self.ring: State = (
            numbers("ring", ring, 1, MOST) if ring else tuple(range(1, in_range("n", n, 3, MOST) + 1))
        )
        self.n, self.k = len(self.ring), in_range("k", k, 2, len(self.ring))
        self.goal: State = tuple(range(1, self.n + 1))
        if sorted(self.ring) != list(self.goal):
            raise InvalidOptionError(
                f"ring={','.join(map(str, self.ring))}: expected each number from 1 to {self.n} once"
            )
        rng = Random(seed)
        for _ in range(0 if ring else in_range("moves", moves, 0, 10_000)):
            after = list(self.successors(self.ring))
            self.ring = after[int(rng.random() * len(after))][1]
        if turning == "free":
            self.ring = from_one(self.ring)

    def initial_states(self) -> Iterable[State]:
        """Return the ring."""
        return [self.ring]

    def successors(self, state: State) -> Iterable[tuple[str, State]]:
        """Return the rings after one action."""
        if self.turning == "counted":
            left, right = state[1:] + state[:1], state[-1:] + state[:-1]
            return [("left", left), ("right", right), ("flip", self.flipped(state))]
        turned = [state[place:] + state[:place] for place in range(self.n)]
        return [(f"flip {place}", from_one(self.flipped(ring))) for place, ring in enumerate(turned, 1)]

    def flipped(self, state: State) -> State:
        """Return the ring after the turnstile was flipped."""
        return state[self.k - 1 :: -1] + state[self.k :]

    def is_goal(self, state: State) -> bool:
        """Whether the tokens are in order, with token 1 in the first place."""
        return state == self.goal

    def heuristic(self, state: State) -> int:
        """Return half of the neighbours in the ring that don't belong together, rounded up."""
        if self.heuristic_name == "zero":
            return 0
        apart = [abs(one - other) for one, other in zip(state, state[1:] + state[:1], strict=True)]
        return -(-sum([distance not in (1, self.n - 1) for distance in apart]) // 2)

    def __repr__(self) -> str:
        ring = ",".join(map(str, self.ring))
        return f"<TopSpin ring={ring} k={self.k} turning={self.turning} heuristic={self.heuristic_name}>"


def from_one(ring: State) -> State:
    """Return the ring turned until token 1 is in the first place."""
    first = ring.index(1)
    return ring[first:] + ring[:first]
