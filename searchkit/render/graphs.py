"""Problems without a map as pictures: graphs with coordinates, and the tree of the states that were reached."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from attrs import define, evolve, field, frozen

from searchkit.plugin.drawing import Mark, Places
from searchkit.problem import SearchProblem
from searchkit.render.maps import captioned, text_width
from searchkit.render.scene import BACKGROUND, FAINT, TEXT, Box, Dot, Line, Point, Scene, Shape, Words

MOST_NODES, MOST_IN_TREE = 5_000, 40
"""Larger graphs and trees are shown in part."""
NAMED = 60
"""The nodes of larger graphs have no names."""
WIDTH, HEIGHT = 760, 520
LONGEST_LABEL = 28
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
EDGE = "#4a5160"


@define
class Explored:
    """The states of a problem that a picture shows, and what is known of each."""

    parents: dict[Any, Any] = field(factory=dict)
    """State → the state that it was first reached from; None for starts. In the order in which they were reached."""
    edges: list[tuple[Any, Any]] = field(factory=list)
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


def explored(
    problem: SearchProblem[Any, Any],
    arrivals: Mapping[Any, Any] | None,
    expanded: Iterable[Any],
    path: Sequence[Any],
    most: int,
    whole: int = 0,
) -> Explored:
    """Return at most `most` states: those on the path, and the first that were reached.

    If there are fewer than `whole`, states that were not reached are added, up to this number.

    Without a search, the first states of a breadth-first walk from the starts. Raises what the problem raises.
    """
    found = Explored(path=path)
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
        if whole and not found.more:
            _walk(problem, found, list(found.parents), whole)
            found.absent = found.parents.keys() - arrivals.keys()
            found.more = 0
    found.goals = {state for state in found.parents if problem.is_goal(state)}
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


def edges_of(problem: SearchProblem[Any, Any], shown: Explored) -> list[tuple[Any, Any]]:
    """Return the actions between the states shown, as pairs, one for both directions.

    Raises what the problem raises.
    """
    drawn: dict[frozenset[Hashable], tuple[Any, Any]] = {}
    for state in shown.parents:
        for _, successor in problem.successors(state):
            if successor in shown.parents:
                drawn.setdefault(frozenset((state, successor)), (state, successor))
    return list(drawn.values())


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
    label: Callable[[Any], str],
    position: Callable[[Any], Point],
    shown: Explored,
    captions: Sequence[str],
    *,
    cut: bool = False,
) -> Scene:
    """Return a picture of states at their positions, with the edges of `shown`."""
    if not shown.parents:
        return captioned([], 0, 0, [*captions, "there are no states"], [], "")
    points = _fitted([position(state) for state in shown.parents])
    at = dict(zip(shown.parents, points, strict=True))
    shapes: list[Shape] = [Line([at[one], at[other]], EDGE, 1.2) for one, other in shown.edges]
    line = [at[state] for state in shown.path if state in at]
    if len(line) > 1:
        shapes.append(Line(line, MARKS[PATH].colour, 4, BACKGROUND))
    count = len(at)
    radius = 8.0 if count <= NAMED else max(1.5, 60 / count**0.5)
    kinds = dict.fromkeys(MARKS, False)
    for kind in kinds:  # the later, the more on top
        for state, (x, y) in at.items():
            if shown.kind(state) == kind:
                kinds[kind] = True
                shapes += _node(x, y, radius, kind)
    if count <= NAMED:
        for state, (x, y) in at.items():
            name = _short(label(state))
            left, middle = x + radius + 3, y - radius
            shapes.append(Box(left, middle - 8, text_width(name, 12), 16, BACKGROUND, radius=3))
            shapes.append(Words(left + 2, middle, name, 12))
    width = max(x for x, _ in points) + (90 if count <= NAMED else radius)
    height = max(y for _, y in points) + radius
    entries = [(MARKS[kind], kind == PATH) for kind, present in kinds.items() if present]
    return captioned(shapes, width, height, [*captions, *_rest(shown)], entries, "", cut=cut)


def _fitted(positions: Sequence[Point]) -> list[Point]:
    """Return positions in pixels, y downwards, without distortion."""
    left, top = min(x for x, _ in positions), max(y for _, y in positions)
    across, down = max(x for x, _ in positions) - left, top - min(y for _, y in positions)
    scale = min(WIDTH / across if across else 1e300, HEIGHT / down if down else 1e300)
    scale = scale if scale < 1e300 else 0.0
    return [(12 + (x - left) * scale, 18 + (top - y) * scale) for x, y in positions]


def _node(x: float, y: float, radius: float, kind: str) -> Iterator[Shape]:
    mark = MARKS[kind]
    named = kind in (START, GOAL)
    size = max(radius, 7) if named else radius
    yield Dot(x, y, size, mark.colour, BACKGROUND, 1)
    if named:
        yield Words(x, y, mark.glyph, 1.3 * size, "#101318", "middle", bold=True)


def _rest(shown: Explored) -> list[str]:
    return [f"{len(shown.parents):,} states are shown, {shown.more:,} or more are not"] if shown.more else []


def _short(label: str) -> str:
    line = label.split("\n")[0]
    return line if len(line) <= LONGEST_LABEL else f"{line[: LONGEST_LABEL - 1]}…"


@frozen
class Place:
    """A node of the tree and where it is."""

    state: Any
    lines: list[str]
    x: float
    y: float
    width: float
    height: float


def tree_scene(
    label: Callable[[Any], str], shown: Explored, captions: Sequence[str], *, cut: bool = False
) -> Scene:
    """Return a picture of the tree of states: starts at the left, each state right of the one it was reached from."""
    children: dict[Any, list[Any]] = {state: [] for state in shown.parents}
    for state, parent in shown.parents.items():
        if parent in children and parent is not None:
            children[parent].append(state)
    placed = _tidy(label, shown, children)
    shapes: list[Shape] = []
    steps = {(before, after) for before, after in pairwise(shown.path)}
    for highlighted in (False, True):
        for parent, states in children.items():
            for state in states:
                if ((parent, state) in steps) == highlighted:
                    one, other = placed[parent], placed[state]
                    middle = other.x - GAP / 2
                    points = [
                        (one.x + one.width, one.y),
                        (middle, one.y),
                        (middle, other.y),
                        (other.x, other.y),
                    ]
                    shapes.append(
                        Line(points, MARKS[PATH].colour if highlighted else EDGE, 3 if highlighted else 1.2)
                    )
    kinds = dict.fromkeys(MARKS, False)
    for place in placed.values():
        kind = shown.kind(place.state)
        kinds[kind] = True
        edge = MARKS[PATH].colour if place.state in shown.path else FAINT
        fill = {OPEN: BACKGROUND, PATH: BACKGROUND}.get(kind, MARKS[kind].colour)
        top = place.y - place.height / 2
        shapes.append(Box(place.x, top, place.width, place.height, fill, edge, 2 if edge != FAINT else 1, 4))
        ink = "#101318" if kind in (START, GOAL) else TEXT
        for number, line in enumerate(place.lines):
            shapes.append(Words(place.x + 6, top + 3 + (number + 0.5) * ROW, line, 12, ink, mono=True))
    width = max((place.x + place.width for place in placed.values()), default=0)
    height = max((place.y + place.height / 2 for place in placed.values()), default=0)
    looks = {OPEN: evolve(MARKS[OPEN], colour=BACKGROUND)}
    entries = [(looks.get(kind, MARKS[kind]), kind == PATH) for kind, present in kinds.items() if present]
    return captioned(shapes, width, height, [*captions, *_rest(shown)], entries, "", cut=cut)


def _tidy(
    label: Callable[[Any], str], shown: Explored, children: Mapping[Any, Sequence[Any]]
) -> dict[Any, Place]:
    """Return where the nodes are: leaves below each other, parents beside the middle of their children."""
    lines = {state: [_short(line) for line in label(state).split("\n")] for state in children}
    depth: dict[Any, int] = {}
    for state in _down(shown, children):
        parent = shown.parents[state]
        depth[state] = 0 if parent not in depth else depth[parent] + 1
    widths = [0.0] * (max(depth.values(), default=-1) + 1)
    for state, level in depth.items():
        widths[level] = max(widths[level], *(text_width(line, 12) + 12 for line in lines[state]))
    lefts = [sum(widths[:level]) + GAP * level for level in range(len(widths))]
    middles: dict[Any, float] = {}
    bottom = 0.0
    for state in reversed(list(_down(shown, children))):  # children before parents, the last ones first
        if not children[state]:
            height = ROW * len(lines[state]) + 6
            bottom -= height + 8
            middles[state] = bottom + height / 2
        else:
            ends = [middles[child] for child in children[state]]
            middles[state] = (max(ends) + min(ends)) / 2
    return {
        state: Place(
            state,
            lines[state],
            lefts[depth[state]],
            middles[state] - bottom,
            max(text_width(line, 12) for line in lines[state]) + 12,
            ROW * len(lines[state]) + 6,
        )
        for state in depth
    }


def _down(shown: Explored, children: Mapping[Any, Sequence[Any]]) -> Iterator[Any]:
    """Yield the states, parents first, each followed by all below it."""
    stack = [state for state, parent in shown.parents.items() if parent is None or parent not in children][
        ::-1
    ]
    while stack:
        state = stack.pop()
        yield state
        stack += reversed(children[state])


def tree_text(places: Places[Any], shown: Explored) -> str:
    """Return the tree as lines of text, each state indented below the one it was reached from."""
    children: dict[Any, list[Any]] = {state: [] for state in shown.parents}
    for state, parent in shown.parents.items():
        if parent is not None and parent in children:
            children[parent].append(state)
    depth: dict[Any, int] = {}
    lines = []
    for state in _down(shown, children):
        parent = shown.parents[state]
        depth[state] = 0 if parent not in depth else depth[parent] + 1
        kind = shown.kind(state)
        said = "" if kind == OPEN else f"  ({kind})"
        first, *more = places.label(state).split("\n")
        indent = "  " * depth[state]
        lines += [f"{indent}{first}{said}", *(f"{indent}{line}" for line in more)]
    return "\n".join([*lines, *_rest(shown)])
