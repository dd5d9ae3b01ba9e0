"""Simplified memory-bounded A*."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

from sortedcontainers import SortedList

from searchkit.engines import kit
from searchkit.plugin.options import Parameter
from searchkit.problem import Cost
from searchkit.tree import Arrival

MEMORY = Parameter("memory", "the most nodes that are held", default=100_000, least=1)
START: Arrival[Any, Any] = (0, None, None)


@kit.engine(
    "smastar",
    "simplified memory-bounded A*: least cost, as far as the memory holds the paths (Russell 1992)",
    aliases=("SMA*", "memory-bounded A*", "simplified memory-bounded A*"),
    optimal=True,
    heuristic="required",
    memory="option",
    arrivals=False,
    options=(MEMORY,),
)
def simplified_memory_bounded_astar(
    problem: kit.Problem, tree: kit.Tree, memory: int = 100_000
) -> kit.States:
    """Run A* on paths, and forget the worst of them when `memory` nodes are held (Russell 1992).

    A node is a path to a state. The search expands a node with the least f = g + h, the deepest of them; children
    inherit f where their own is smaller. When the memory is full, it drops a leaf with the highest f, the
    shallowest of them, and the parent remembers that f. If nothing better is left, the parent is expanded again,
    and the child is back with the f that was remembered. The pseudocode of 1992 remembers only the least f of all
    children that were dropped, and so may drop and regenerate the same ones for ever; here the parent remembers the
    f of each (as in Lovinger and Zhang 2017).

    Complete if the memory holds a path to a goal, which takes one node more than it has actions; optimal for every
    admissible heuristic if it holds a cheapest path. If it does not, the result says so: by a warning and a lower bound
    below the cost or, without a path, by a cutoff. Memory O(b·memory) for branching b. Time as A* on a tree while the
    memory suffices; the less there is, the more often states are expanded again.

    Example:
        >>> from searchkit import load, solve
        >>> for memory in (5, 4):
        ...     print(solve(load("romania"), "smastar", memory=memory))
        solved: cost 418 (optimal if the heuristic is admissible), 4 actions; smastar expanded 5 states
        solved: cost 450 (at least 417 is needed if the heuristic is admissible), 3 actions; smastar expanded 9 states
        warning: 4 nodes hold no path of 4 or more actions: a cheaper one than this may exist

    """
    is_goal, heuristic, cost = problem.is_goal, problem.heuristic, kit.cost_function(problem)
    if tree.frontier is None:
        starts = [pair for pair in kit.values_of(kit.distinct_starts(problem), heuristic) if pair[1] < inf]
        held = {state: h for state, h in starts if memory > 1 or is_goal(state)}
        cut_off(tree, min((h for state, h in starts if state not in held), default=inf), memory)
        tree.details["nodes dropped"] = 0
        tree.frontier = Memory(memory, held)
    nodes: Memory = tree.frontier
    while nodes.waiting:
        node = nodes.waiting[0][-1]
        beyond = inf if tree.next_threshold is None else tree.next_threshold
        tree.lower_bound = max(tree.lower_bound, min(node.value, beyond))
        if node is nodes.root:
            nodes.recall(node, dict.fromkeys(node.forgotten or (), START))
            continue
        enter_path(tree, node)
        state, g = node.state, node.arrival[0]
        if node.forgotten is None and is_goal(state):
            if beyond < g:
                tree.warnings.append(
                    f"{memory} nodes hold no path of {memory} or more actions: a cheaper one than this may exist"
                )
            return tree.finish(state)
        yield state
        generated, found = kit.expand(tree, state, g, problem.successors, cost, heuristic, new_only=True)
        arrivals: dict[Any, Arrival[Any, Any]] = {}
        values: dict[Any, Cost] = {}
        cut: Cost = inf
        full = node.depth + 2 == memory  # a path to a child takes all the memory
        for child, arrival, (_, h) in found:
            f = max(node.value, arrival[0] + h)
            if full and not is_goal(child):
                cut = min(cut, f)
            elif child not in arrivals or arrival[0] < arrivals[child][0]:
                arrivals[child], values[child] = arrival, f
        cut_off(tree, cut, memory)
        if node.forgotten is None:
            node.forgotten = values
        nodes.recall(node, arrivals)
        tree.details["nodes dropped"] = nodes.dropped
        tree.peak_frontier = max(tree.peak_frontier, nodes.held)
        tree.generated = generated
    if tree.next_threshold is not None:
        tree.lower_bound = max(tree.lower_bound, tree.next_threshold)
    return None


class Node:
    """A path to a state, in memory: its last step, its f (at least that of its parent), and its parent.

    Its age is minus the number of nodes and expansions before it: of two alike, the one that is worked on comes first.
    """

    def __init__(self, state: Any, arrival: Arrival[Any, Any], f: Cost, parent: "Node | None", age: int):
        self.state, self.arrival, self.f, self.parent, self.age = state, arrival, f, parent, age
        self.depth: int = -1 if parent is None else parent.depth + 1
        self.children: dict[Any, Node] = {}
        """The children that are in memory."""
        self.forgotten: dict[Any, Cost] | None = None
        """State → f of the children that are not; None if the node was never expanded."""
        self.place: tuple[Any, ...] = ()
        """Its place in `Memory.waiting`."""

    @property
    def value(self) -> Cost:
        """The least cost of a path to a goal through what is not expanded here: the node, or a forgotten child."""
        return self.f if self.forgotten is None else min(self.forgotten.values(), default=inf)


class Memory:
    """The nodes of a search, at most `most` of them: a tree, whose root stands for no state and is not counted."""

    def __init__(self, most: int, forgotten: dict[Any, Cost]):
        self.most, self.held, self.dropped, self.ages = most, 0, 0, 0
        self.waiting: Any = SortedList()
        """What may be expanded, the best first: (value, −depth, age, node)."""
        self.leaves: Any = SortedList()
        """Those without children in memory: the last is dropped first."""
        self.root = Node(None, START, 0, None, 0)
        self.root.forgotten = forgotten
        self.arrange(self.root)

    def __len__(self) -> int:
        return self.held

    def __iter__(self) -> Iterator[Node]:
        waiting = [self.root]
        for node in waiting:
            waiting += node.children.values()
        return iter(waiting[1:])

    def arrange(self, node: Node) -> None:
        """Give a node its place, after it has changed. Without anything left to expand in it, it is taken out."""
        self.waiting.discard(node.place)
        self.leaves.discard(node.place)
        value, is_leaf = node.value, not node.children and node.parent is not None
        node.place = (value, -node.depth, node.age, node)
        if value < inf:
            self.waiting.add(node.place)
            if is_leaf:
                self.leaves.add(node.place)
        elif is_leaf:
            self.take_out(node)

    def take_out(self, node: Node) -> None:
        """Take a leaf out of the memory; its parent remembers the value."""
        self.waiting.discard(node.place)
        self.leaves.discard(node.place)
        parent = node.parent
        assert parent is not None
        assert parent.forgotten is not None
        del parent.children[node.state]
        parent.forgotten[node.state] = node.value
        self.held -= 1
        self.arrange(parent)

    def recall(self, node: Node, arrivals: Mapping[Any, Arrival[Any, Any]]) -> None:
        """Put the forgotten children of an expanded node into the memory, if it has room or holds a worse leaf.

        The best one is always put there, unless the node can wait without it: until nothing better than it is left.
        """
        forgotten, before = node.forgotten, node.place[0]
        assert forgotten is not None
        self.ages -= 1
        node.age = self.ages
        for state in sorted(forgotten, key=forgotten.__getitem__):
            value = forgotten[state]
            if value == inf:
                break
            if self.held == self.most:
                worst = next((place[-1] for place in reversed(self.leaves) if place[-1] is not node), None)
                if worst is None or (worst.value <= value and value > before):
                    break
                self.take_out(worst)
                self.dropped += 1
            del forgotten[state]
            self.ages -= 1
            node.children[state] = child = Node(state, arrivals[state], value, node, self.ages)
            self.held += 1
            self.arrange(child)
        self.arrange(node)


def enter_path(tree: kit.Tree, node: Node) -> None:
    """Make `tree.reached` the path to a node."""
    reached, path = tree.reached, []
    while node.parent is not None and reached.get(node.state) is not node.arrival:
        path.append(node)
        node = node.parent
    while len(reached) > node.depth + 1:  # go back to where both paths part
        reached.popitem()
    for on_path in reversed(path):
        reached[on_path.state] = on_path.arrival


def cut_off(tree: kit.Tree, f: Cost, memory: int) -> None:
    """Record that paths of this f or more are left out, as the memory does not hold them; none if it is infinite."""
    if f < inf:
        tree.cut_by = f"the memory of {memory} nodes"
        tree.next_threshold = f if tree.next_threshold is None else min(tree.next_threshold, f)
