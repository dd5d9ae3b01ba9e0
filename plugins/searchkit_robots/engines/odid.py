"""Joint A* with operator decomposition and independence detection."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import define, field

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import MultiAgent
from searchkit_robots.engines._common import combined, finish
from searchkit_robots.engines._conflicts import conflicts_between
from searchkit_robots.engines._group import GroupSearch, Move
from searchkit_robots.engines._single import Path

Group: TypeAlias = tuple[int, ...]


@define(eq=False)
class Groups:
    """All that a search has learned: the frontier of `odid`, from which it can go on."""

    problem: MultiAgent
    costs: dict[Group, Cost]
    """The groups, and the least cost of each by itself; 0 if it is not known yet."""
    paths: dict[int, Path] = field(factory=dict)
    """The plan of each robot, as far as its group has one."""
    to_plan: list[Group] = field(factory=list)
    """Groups that have no plan yet."""
    to_avoid: list[tuple[Group, Group]] = field(factory=list)
    """(group, other): the group is to look for a plan that costs no more and avoids the other."""
    met: set[frozenset[Group]] = field(factory=set)
    """Pairs of groups that have tried to avoid each other."""
    search: GroupSearch | None = None
    """The search that is under way."""
    generated: int = 0
    """By the searches that have ended."""

    def __len__(self) -> int:
        return len(self.search) if self.search else 0

    @property
    def lower_bound(self) -> Cost:
        """No plan costs less: the robots of each group, even alone, need as much."""
        costs = dict(self.costs)
        if self.search and self.search.group in self.to_plan:
            costs[self.search.group] = self.search.lower_bound
        return combined(self.problem, list(costs.values()))

    def next_search(self) -> GroupSearch | None:
        """Begin the next search that is needed; None if the plans of all groups fit together."""
        if self.to_plan:
            group = self.to_plan[-1]
            return GroupSearch(self.problem, group, traffic=self._paths_of_all_but(group))
        if not self.to_avoid:
            self._look_for_conflict()
            return self.next_search() if self.to_plan or self.to_avoid else None
        group, other = self.to_avoid[0]
        return GroupSearch(
            self.problem,
            group,
            others=tuple(self.paths[robot] for robot in other),
            traffic=self._paths_of_all_but(group + other),
            most=self.costs[group],
        )

    def accept(self, paths: list[Path] | None) -> bool:
        """Take the outcome of the search under way; return False if there is no plan for the group, and so for none."""
        search = self.search
        assert search is not None
        cost = search.lower_bound
        self.search = None
        self.generated += search.generated
        if paths is not None:
            self.paths.update(zip(search.group, paths, strict=True))
        if self.to_plan:
            self.costs[self.to_plan.pop()] = cost
            return paths is not None
        pair = self.to_avoid.pop(0)
        if paths is not None:
            self.to_avoid.clear()
        elif not self.to_avoid:
            self._merge(*pair)
        return True

    def _look_for_conflict(self) -> None:
        conflicts = conflicts_between([self.paths[robot] for robot in sorted(self.paths)])
        if not conflicts:
            return
        conflict = conflicts[0]
        one, other = (
            next(group for group in self.costs if robot in group)
            for robot in (conflict.first, conflict.second)
        )
        pair = frozenset((one, other))
        if pair in self.met:
            self._merge(one, other)
        else:
            self.met.add(pair)
            self.to_avoid = [(one, other), (other, one)]

    def _merge(self, one: Group, other: Group) -> None:
        merged = tuple(sorted(one + other))
        known = combined(self.problem, [self.costs.pop(one), self.costs.pop(other)])
        self.costs[merged] = known
        self.to_plan.append(merged)

    def _paths_of_all_but(self, group: Group) -> tuple[Path, ...]:
        return tuple(path for robot, path in sorted(self.paths.items()) if robot not in group)


def independence_detection(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Move]:
    """Plan groups of robots by joint A*, and merge groups only where they can't keep apart (Standley 2010).

    At first each robot is a group. Two groups whose plans conflict try once each to avoid the other at no greater
    cost; if that fails, or they meet again, they become one. Within a group the robots decide one after the
    other (operator decomposition), so that a state has 5 successors or so, not 5ⁿ; ties are broken by the fewest
    conflicts with other groups.

    Complete and optimal, for both objectives; ends where there is no plan, after all joint states of the group that
    has none. Time and memory exponential in the size of the largest group.

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
        search = frontier.search
        if search is None:
            return finish(problem, tree, [path for _, path in sorted(frontier.paths.items())])
        tree.details["largest group"] = f"{max(map(len, frontier.costs))} robots"
        tree.lower_bound = frontier.lower_bound
        move = search.next()
        while move is not None and not search.is_goal(move):
            tree.lower_bound = frontier.lower_bound
            tree.peak_frontier = max(tree.peak_frontier, len(search))
            yield move
            search.expand(move)
            tree.generated = frontier.generated + search.generated
            move = search.next()
        if not frontier.accept(None if move is None else search.paths(move)):
            return
