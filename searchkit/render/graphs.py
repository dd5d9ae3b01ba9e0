"""Problems without a map as pictures: graphs with coordinates, and the tree of the states that were reached."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from attrs import define, evolve, field

from searchkit.engines.kit import cost_function
from searchkit.errors import shortened
from searchkit.plugin.drawing import ContractedGraph, Mark, Places
from searchkit.problem import SearchProblem
from searchkit.render.maps import captioned, text_width
from searchkit.render.scene import BACKGROUND, FAINT, TEXT, Point, Scene, Shape, box, dot, line, words

MAX_DRAWN_NODES, MAX_TREE_NODES = 5_000, 40
"""Larger graphs and trees are shown in part."""
MAX_NAMED_NODES = 60
"""The nodes of larger graphs have no names."""
WIDTH, HEIGHT = 760, 520
MAX_LABEL = 28
ROW, GAP = 16, 46
"""The height of a line of a label, and the space between a node of the tree and its children."""

ABSENT, OPEN, EXPANDED, PATH, START, GOAL = "absent", "open", "expanded", "on the path", "start", "goal"
MARKS = {
    ABSENT: Mark("█", "#7d8594", "not reached"),
    OPEN: Mark("█", "#d7dae0", "reached"),
    EXPANDED: Mark("█", "#0072b2", "expanded"),
    PATH: Mark("█", "#e69f00", "path"),
    START: Mark("S", "#3ddc84", "start"),
    GOAL: Mark("G", "#ff5c7a", "goal"),
}
EDGE, DARK = "#4a5160", "#101318"
SITES = ("#ff5c7a", "#9aa3b2", "#ffb000", "#3ddc84", "#4cc9f0", "#b388ff", "#f78c6b")
"""The colours of the kinds of nodes of a contracted graph, in the order of their names; after the last, the first."""


@define
class Explored:
    """The states of a problem that a picture shows, and what is known of each."""

    parents: dict[Any, Any] = field(factory=dict)
    """State → the state that it was first reached from; None for starts. In the order in which they were reached."""
    edges: list[tuple[Any, Any]] = field(factory=list)
    costs: dict[tuple[Any, Any], Any] = field(factory=dict)
    """The costs of edges, also of those of the tree, if there are few and they differ."""
    expanded: set[Any] = field(factory=set)
    absent: set[Any] = field(factory=set)
    """States that a search did not reach."""
    path: Sequence[Any] = ()
    goals: set[Any] = field(factory=set)
    more: int = 0
    """How many states were reached that are not shown."""

    def kind(self, state: Any) -> str:
        """Return the kind of a state."""
        if self.parents.get(state) is None:
            return START
        if state in self.goals:
            return GOAL
        if state in self.path:
            return PATH
        if state in self.absent:
            return ABSENT
        return EXPANDED if state in self.expanded else OPEN

    def captions(self) -> list[str]:
        """Return a line that says how many states are not shown, if there are any."""
        more = f"{len(self.parents):,} states are shown, {self.more:,} or more are not"
        return [more] if self.more else []

    def preorder(self) -> Iterator[tuple[Any, int, Sequence[Any]]]:
        """Yield each state with its depth and its children, parents first, each followed by all below it."""
        children: dict[Any, list[Any]] = {state: [] for state in self.parents}
        roots = list[Any]()
        for state, parent in self.parents.items():
            (roots if parent is None or parent not in children else children[parent]).append(state)
        stack = [(state, 0) for state in reversed(roots)]
        while stack:
            state, depth = stack.pop()
            below = children.pop(state, [])  # once, also if states were changed, and one is its own parent
            yield state, depth, below
            stack += [(child, depth + 1) for child in reversed(below)]


def explored(
    problem: SearchProblem[Any, Any],
    arrivals: Mapping[Any, Any] | None,
    expanded: Iterable[Any],
    path: Sequence[Any],
    as_graph: bool,
) -> Explored:
    """Return the states of a picture: those on the path, and the first that were reached.

    In a graph, all actions between them are edges; if there are few states, some that were not reached are added.
    Without a search, they are the first states of a breadth-first walk from the starts. Raises what the problem raises.
    """
    found, most = Explored(path=path), MAX_DRAWN_NODES if as_graph else MAX_TREE_NODES
    if arrivals is None:
        starts = list(islice(problem.initial_states(), most))
        found.parents = dict.fromkeys(starts)
        for before, after in pairwise(path):
            found.parents.setdefault(before, None)
            found.parents.setdefault(after, before)
        _walk(problem, found, starts, most)
    else:
        parents = {state: arrivals[state][1] for state in arrivals}
        found.parents = selected(parents, path, most)
        found.more = len(arrivals) - len(found.parents)
        found.expanded = set(expanded)
        if as_graph and not found.more:
            _walk(problem, found, list(found.parents), MAX_NAMED_NODES)
            found.absent = found.parents.keys() - arrivals.keys()
            found.more = 0
    found.goals = {state for state in found.parents if problem.is_goal(state)}
    drawn: dict[frozenset[Any], tuple[Any, Any]] = {}
    cost = cost_function(problem) if len(found.parents) <= MAX_NAMED_NODES else None
    for state in found.parents if as_graph or cost else ():
        for action, successor in problem.successors(state):
            if successor in found.parents:
                edge = drawn.setdefault(frozenset((state, successor)), (state, successor))
                if cost and (not as_graph or edge == (state, successor)):
                    step = cost(state, action, successor)
                    found.costs[state, successor] = min(step, found.costs.get((state, successor), step))
    found.edges = list(drawn.values())
    found.costs = found.costs if len(set(found.costs.values())) > 1 else {}
    return found


def selected(parents: Mapping[Any, Any], path: Sequence[Any], most: int) -> dict[Any, Any]:
    """Return at most `most` states with their parents: those on the path, then the first whose parents are kept.

    `parents` is state → parent, None for a start, in the order in which they were reached.
    """
    if len(parents) <= most:
        return dict(parents)
    kept = set(path)
    room = max(0, most - len(kept))
    for state, parent in parents.items():
        if not room:
            break
        if state not in kept and (parent is None or parent in kept):
            kept.add(state)
            room -= 1
    return {state: parent for state, parent in parents.items() if state in kept}


def _walk(problem: SearchProblem[Any, Any], found: Explored, begun: Iterable[Any], most: int) -> None:
    """Add the states that a breadth-first walk reaches first, until there are `most`."""
    frontier = deque(begun)
    while frontier and len(found.parents) < most:
        state = frontier.popleft()
        for _, successor in islice(problem.successors(state), most):
            if successor not in found.parents:
                found.parents[successor] = state
                frontier.append(successor)
                if len(found.parents) == most:
                    found.more += 1
                    break


def graph_scene(
    label: Callable[[Any], str], position: Callable[[Any], Point], shown: Explored, captions: Sequence[str]
) -> Scene:
    """Return a picture of states at their positions, with the edges of `shown`."""
    if not shown.parents:
        return captioned([], 0, 0, [*captions, "there are no states"], [], "")
    points = _fitted([position(state) for state in shown.parents])
    at = dict(zip(shown.parents, points, strict=True))
    named = len(at) <= MAX_NAMED_NODES
    shapes: list[Shape] = [line([at[one], at[other]], EDGE, 1.2) for one, other in shown.edges]
    way = [at[state] for state in shown.path if state in at]
    if len(way) > 1:
        shapes.append(line(way, MARKS[PATH].colour, 4, BACKGROUND))
    radius = 8.0 if named else max(1.5, 60 / len(at) ** 0.5)
    kinds = {state: shown.kind(state) for state in at}
    for kind, mark in MARKS.items():  # the later, the more on top
        for x, y in (at[state] for state, one in kinds.items() if one == kind):
            large = mark.glyph != "█"
            size = max(radius, 7) if large else radius
            shapes.append(dot(x, y, size, mark.colour, BACKGROUND))
            if large:
                shapes.append(words(x, y, mark.glyph, 1.3 * size, DARK, middle=True, bold=True))
    for state, (x, y) in at.items() if named else ():
        shapes += _tag(x + radius + 3, y - radius, _short(label(state)), 12)
    for (one, other), cost in shown.costs.items():
        shapes += _label(at[one], at[other], cost)
    width = max(x for x, _ in points) + (90 if named else radius)
    height = max(y for _, y in points) + radius
    return captioned(
        shapes, width, height, [*captions, *shown.captions()], _entries(kinds.values(), MARKS), ""
    )


def _entries(kinds: Iterable[str], marks: Mapping[str, Mark]) -> list[tuple[Mark, bool]]:
    """Return the legend of these kinds of nodes."""
    present = set(kinds)
    return [(mark, kind == PATH) for kind, mark in marks.items() if kind in present]


def _label(one: Point, other: Point, text: object) -> Iterator[Shape]:
    """Yield a short text in the middle of an edge."""
    short = number_text(text)
    yield from _tag((one[0] + other[0] - text_width(short, 9)) / 2 - 2, (one[1] + other[1]) / 2, short, 9)


def _tag(left: float, middle: float, text: str, size: float) -> Iterator[Shape]:
    """Yield a text that is readable on lines."""
    yield box(left, middle - 0.65 * size, text_width(text, size) + 4, 1.3 * size, BACKGROUND, radius=3)
    yield words(left + 2, middle, text, size)


def _fitted(positions: Sequence[Point], times: float = 1) -> list[Point]:
    """Return positions in pixels, y downwards, without distortion; on a picture so many times larger than usual."""
    left, top = min(x for x, _ in positions), max(y for _, y in positions)
    across, down = max(x for x, _ in positions) - left, top - min(y for _, y in positions)
    scale = min(WIDTH / across if across else 1e300, HEIGHT / down if down else 1e300)
    scale = times * scale if scale < 1e300 else 0.0
    return [(12 + (x - left) * scale, 18 + (top - y) * scale) for x, y in positions]


def number_text(value: object) -> str:
    """Return a number as people read it."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _short(label: str) -> str:
    return shortened(label.split("\n")[0], MAX_LABEL)


def tree_scene(label: Callable[[Any], str], shown: Explored, captions: Sequence[str]) -> Scene:
    """Return a picture of the tree of states: starts at the left, each state right of the one it was reached from."""
    order = list(shown.preorder())
    lines = {state: [_short(text) for text in label(state).split("\n")] for state, _, _ in order}
    wide = {state: max(text_width(text, 12) for text in lines[state]) + 12 for state in lines}
    tall = {state: ROW * len(lines[state]) + 6 for state in lines}
    levels, gap = dict[int, float](), GAP + 20 * bool(shown.costs)
    for state, depth, _ in order:
        levels[depth] = max(levels.get(depth, 0), wide[state] + gap)
    bottom, middles = 0.0, dict[Any, float]()
    for state, _, children in reversed(order):  # children before parents, the last ones first
        if children:
            middles[state] = (middles[children[0]] + middles[children[-1]]) / 2
        else:
            bottom -= tall[state] + 8
            middles[state] = bottom + tall[state] / 2
    at = {state: (sum(levels[d] for d in range(depth)), middles[state] - bottom) for state, depth, _ in order}
    shapes: list[Shape] = []
    steps = set(pairwise(shown.path))
    edges = [(parent, state) for state, parent in shown.parents.items() if parent in at]
    for parent, state in sorted(edges, key=steps.__contains__):  # the path on top
        (left, y), (x, down), on_path = at[parent], at[state], (parent, state) in steps
        middle = x - gap / 2
        points = [(left + wide[parent], y), (middle, y), (middle, down), (x, down)]
        shapes.append(line(points, MARKS[PATH].colour if on_path else EDGE, 3 if on_path else 1.2))
        if (parent, state) in shown.costs:
            shapes += _label((middle, down), (x, down), shown.costs[parent, state])
    marks = {**MARKS, OPEN: evolve(MARKS[OPEN], colour=BACKGROUND)}
    kinds = {state: shown.kind(state) for state in at}
    for state, (x, y) in at.items():
        kind, on_path, top = kinds[state], state in shown.path, y - tall[state] / 2
        fill = BACKGROUND if kind == PATH else marks[kind].colour
        edge, thick = (MARKS[PATH].colour, 2) if on_path else (FAINT, 1)
        shapes.append(box(x, top, wide[state], tall[state], fill, edge, thick, 4))
        ink = DARK if kind in (START, GOAL) else TEXT
        for number, text in enumerate(lines[state]):
            shapes.append(words(x + 6, top + 3 + (number + 0.5) * ROW, text, 12, ink, mono=True))
    width = max((x + wide[state] for state, (x, _) in at.items()), default=0)
    height = max((y + tall[state] / 2 for state, (_, y) in at.items()), default=0)
    texts = [*captions, *shown.captions()]
    return captioned(shapes, width, height, texts, _entries(kinds.values(), marks), "")


def tree_text(places: Places[Any], shown: Explored) -> str:
    """Return the tree as lines of text, each state indented below the one it was reached from."""
    lines = []
    for state, depth, _ in shown.preorder():
        kind = shown.kind(state)
        first, *more = places.label(state).split("\n")
        indent = "  " * depth
        lines += [
            f"{indent}{first}{'' if kind == OPEN else f'  ({kind})'}",
            *(f"{indent}{line}" for line in more),
        ]
    return "\n".join([*lines, *shown.captions()])


# Contracted graphs


def contracted_scene(graph: ContractedGraph) -> Scene:
    """Return a picture of a contracted graph, with the nodes at their positions in the problem."""
    if not graph.nodes:
        return captioned([], 0, 0, ["the graph is empty"], [], "")
    scale = 1 + len(graph.edges) ** 0.5 / 10
    points = _fitted([(node.position[0], -node.position[1]) for node in graph.nodes], scale)
    at = {node.name: point for node, point in zip(graph.nodes, points, strict=True)}
    kinds = sorted({node.kind for node in graph.nodes})
    marks = {kind: Mark("█", SITES[number % len(SITES)], kind) for number, kind in enumerate(kinds)}
    shapes: list[Shape] = [line([at[one], at[other]], EDGE, 1.2) for one, other, _ in graph.edges]
    for one, other, label in graph.edges:
        shapes += _label(at[one], at[other], label)
    for node in graph.nodes:
        x, y = at[node.name]
        shapes.append(dot(x, y, 9 if node.label else 3, marks[node.kind].colour, BACKGROUND))
        shapes.append(words(x, y, node.label, 11, DARK, middle=True, bold=True))
    width, height = (max(point[axis] for point in points) + 12 for axis in (0, 1))
    return captioned(shapes, width, height, [], _entries(marks, marks), "contracted graph")
