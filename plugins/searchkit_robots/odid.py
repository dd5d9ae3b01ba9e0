"""Joint A* with operator decomposition and independence detection. It needs no machine code."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from importlib.util import find_spec
from itertools import combinations, pairwise, product
from math import inf
from typing import Any, NamedTuple, TypeAlias

from attrs import define, field

from searchkit import Cost
from searchkit.engines.kit import engine
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.plans import combined, enter_plan

Group: TypeAlias = tuple[int, ...]
Path: TypeAlias = tuple[Location, ...]
"""The locations of a robot at times 0, 1, 2, …; it stays at the last one."""


def at(path: Sequence[Location], time: int) -> Location:
    """Return the location of a robot at a time; after its path, the end of the path."""
    return path[time] if time < len(path) else path[-1]


def are_in_conflict(one: Path, other: Path) -> bool:
    """Whether two robots are in one location at the same time, or swap locations."""
    for time in range(max(len(one), len(other))):
        here, before = at(one, time), max(time - 1, 0)
        if here == at(other, time) or (here, at(one, before)) == (at(other, before), at(other, time)):
            return True
    return False


class Traffic:
    """The paths of other robots, which are avoided if that costs nothing."""

    def __init__(self, paths: Iterable[Path]):
        self._at: Counter[tuple[int, Location]] = Counter()
        self._moves: Counter[tuple[int, Location, Location]] = Counter()
        self._rests: dict[Location, int] = {}
        for path in filter(None, paths):
            self._at.update(enumerate(path))
            self._moves.update(
                (time, there, here) for time, (here, there) in enumerate(pairwise(path), 1) if here != there
            )
            self._rests[path[-1]] = len(path)

    def conflicts(self, time: int, here: Location, there: Location) -> int:
        """Return the number of conflicts of a move from `here` to `there` that ends at `time`."""
        return (
            self._at[time, there]
            + self._moves[time, here, there]
            + (self._rests.get(there, time + 1) <= time)
        )


class Move(NamedTuple):
    """A partial joint move: the locations of the robots before it, and those of the robots that have moved after it.

    If no robot has moved, it is a state of the group at one time.
    """

    before: tuple[Location, ...]
    resting: tuple[bool, ...]
    """Whether each robot rests at its goal for good; for robots that have moved, after the move."""
    after: tuple[Location, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, (*self.after, *self.before[len(self.after) :])))


Arrival: TypeAlias = tuple[Cost, int, int, Move | None]
"""The cost so far, the conflicts with others so far, the time, and the parent."""


class GroupSearch:
    """The search for the best plan of a group. It can stop between any two expansions.

    Args:
        problem: the problem.
        group: the robots, by index.
        traffic: the paths of other robots, with which conflicts are avoided if that costs nothing.

    """

    def __init__(self, problem: MultiAgent, group: Group, traffic: Iterable[Path]):
        self.problem, self.group, self._traffic = problem, group, Traffic(traffic)
        self.reached: dict[Move, Arrival] = {}
        self.closed: set[Move] = set()
        self.frontier: list[tuple[Cost, int, Cost, int, Move]] = []
        self.generated = 0
        ends = [self.problem.endpoints()[robot] for robot in self.group]
        self._goals = tuple(goal for _, goal in ends)
        self._distances = [self.problem.distances_to(goal) for goal in self._goals]
        self._sums = self.problem.objective == "sum-of-costs"
        choices = [(True, False) if self._sums and start == goal else (False,) for start, goal in ends]
        for resting in product(*choices):
            self._enter(Move(tuple(start for start, _ in ends), resting), 0, 0, 0, None)

    def __len__(self) -> int:
        return len(self.frontier)

    def next(self) -> Move | None:
        """Return the next state to expand; None if no state is left."""
        while self.frontier and self.frontier[0][-1] in self.closed:
            heappop(self.frontier)
        return self.frontier[0][-1] if self.frontier else None

    @property
    def lower_bound(self) -> Cost:
        """A lower bound on the cost of a plan of the group; infinity if there is no plan."""
        return self.frontier[0][0] if self.frontier else inf

    def is_goal(self, move: Move) -> bool:
        """Whether a state is the end of a plan."""
        if move.after:
            return False
        return all(move.resting) if self._sums else move.before == self._goals

    def expand(self, move: Move) -> None:
        """Enter the successors of a state: the moves of the next robot."""
        cost, conflicts, time, _ = self.reached[move]
        robot = len(move.after)
        here = move.before[robot]
        if move.resting[robot]:
            self._decide(move, cost, conflicts, time, here, True)
        else:
            step = 1 if self._sums or robot == 0 else 0
            for there in (*self.problem.neighbours(here), here):
                if self._sums and there == self._goals[robot]:
                    self._decide(move, cost + step, conflicts, time, there, True)
                self._decide(move, cost + step, conflicts, time, there, False)
        self.closed.add(move)

    def paths(self, end: Move) -> list[Path]:
        """Return the path of each robot of the group to a state."""
        positions = []
        move: Move | None = end
        while move is not None:
            if not move.after:
                positions.append(move.before)
            move = self.reached[move][3]
        return list(zip(*reversed(positions), strict=True))

    def _decide(
        self, move: Move, cost: Cost, conflicts: int, time: int, there: Location, rests: bool
    ) -> None:
        robot = len(move.after)
        here = move.before[robot]
        for other, location in enumerate(move.after):
            if location == there or (location == here and move.before[other] == there):
                return
        conflicts += self._traffic.conflicts(time + 1, here, there)
        resting = (*move.resting[:robot], rests, *move.resting[robot + 1 :])
        after = (*move.after, there)
        if len(after) < len(self.group):
            self._enter(Move(move.before, resting, after), cost, conflicts, time, move)
        else:
            self._enter(Move(after, resting), cost, conflicts, time + 1, move)

    def _enter(self, move: Move, cost: Cost, conflicts: int, time: int, parent: Move | None) -> None:
        f = cost + self._heuristic(move)
        known = self.reached.get(move)
        if f == inf or move in self.closed:
            return
        if known is not None and (known[0], known[1]) <= (cost, conflicts):
            return
        self.reached[move] = cost, conflicts, time, parent
        self.generated += 1
        heappush(self.frontier, (f, conflicts, -cost, -self.generated, move))

    def _heuristic(self, move: Move) -> Cost:
        """Return the heuristic: the cost to the goals if robots could not conflict."""
        where = (*move.after, *move.before[len(move.after) :])
        distances: list[Cost] = [
            to_goal.get(location, inf) for to_goal, location in zip(self._distances, where, strict=True)
        ]
        if self._sums:
            return sum(max(d, 1) for d, rests in zip(distances, move.resting, strict=True) if not rests)
        decided = len(move.after)
        rest = max(distances[decided:], default=0)
        return max([rest - 1 if decided else rest, *distances[:decided]])


@define(eq=False)
class Groups:
    """The state of a search: the frontier of `odid`, from which it can continue."""

    problem: MultiAgent
    costs: dict[Group, Cost]
    """Group → its least cost without other groups; 0 if it is not known yet."""
    paths: dict[int, Path] = field(factory=dict)
    """Robot → its path, if its group has a plan."""
    to_plan: list[Group] = field(factory=list)
    """The groups without a plan."""
    search: GroupSearch | None = None
    """The current search."""
    generated: int = 0
    """The states generated by finished searches."""

    def __len__(self) -> int:
        return len(self.search) if self.search else 0

    @property
    def lower_bound(self) -> Cost:
        """A lower bound on the cost of a plan: the joint cost of the groups without conflicts between them."""
        costs = dict(self.costs)
        if self.search:
            costs[self.search.group] = self.search.lower_bound
        return combined(self.problem, list(costs.values()))

    def next_search(self) -> GroupSearch | None:
        """Begin the next search; return None if the plans of all groups have no conflicts."""
        if not self.to_plan:
            pairs = combinations(sorted(self.paths), 2)
            pair = next((p for p in pairs if are_in_conflict(self.paths[p[0]], self.paths[p[1]])), None)
            if pair is None:
                return None
            one, other = (next(group for group in self.costs if robot in group) for robot in pair)
            merged = tuple(sorted(one + other))
            self.costs[merged] = combined(self.problem, [self.costs.pop(one), self.costs.pop(other)])
            self.to_plan.append(merged)
        group = self.to_plan[-1]
        others = [path for robot, path in sorted(self.paths.items()) if robot not in group]
        return GroupSearch(self.problem, group, others)

    def accept(self, paths: list[Path] | None) -> bool:
        """Enter the outcome of the current search; return False if the group, and so the problem, has no plan."""
        search = self.search
        assert search is not None
        self.search = None
        self.generated += search.generated
        self.costs[self.to_plan.pop()] = search.lower_bound
        if paths is not None:
            self.paths.update(zip(search.group, paths, strict=True))
        return paths is not None


@engine(
    "odid",
    "joint A* for robots, decomposed by operator and by group: least cost (Standley 2010)",
    optimal=True,
    requires=(MultiAgent,),
    preferred=find_spec("numba") is None,  # which `cbs` needs
    memory="own",
    arrivals=False,
)
def independence_detection(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Move]:
    """Plan groups of robots by joint A*, and merge two groups if their plans conflict (Standley 2010).

    Initially each robot is a group. Within a group the robots move one after the other (operator decomposition), so a
    state has about 5 successors, not 5ⁿ. Ties are broken by the number of conflicts with other groups, so that a group
    avoids them if that costs nothing.

    Complete and optimal for both objectives. If there is no plan, the search ends after all joint states of the group
    that has none. Time and memory exponential in the size of the largest group.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "odid")
        >>> result.cost, result.optimal
        (62, True)

    """
    if tree.frontier is None:
        groups: list[Group] = [(robot,) for robot in range(len(problem.endpoints()))]
        tree.closed = set()  # no states of the problem
        tree.frontier = Groups(problem, dict.fromkeys(groups, 0), to_plan=groups[::-1])
    frontier: Groups = tree.frontier
    while True:
        if frontier.search is None:
            frontier.search = frontier.next_search()
            if frontier.search is not None:
                tree.note("group", robots=frontier.search.group)
        search = frontier.search
        if search is None:
            enter_plan(problem, tree, [path for _, path in sorted(frontier.paths.items())])
            return tree.finish(tree.goal)
        sizes = list(map(len, frontier.costs))
        tree.details["largest group"] = f"{max(sizes)} of {sum(sizes)} robots"
        tree.lower_bound = frontier.lower_bound
        move = search.next()
        while move is not None and not search.is_goal(move):
            tree.lower_bound = frontier.lower_bound
            tree.peak_frontier = max(tree.peak_frontier, len(search))
            cost, _, _, parent = search.reached[move]
            tree.note("node", node=move, parent=parent, cost=cost)
            yield move
            search.expand(move)
            tree.generated = frontier.generated + search.generated
            move = search.next()
        if not frontier.accept(None if move is None else search.paths(move)):
            return
