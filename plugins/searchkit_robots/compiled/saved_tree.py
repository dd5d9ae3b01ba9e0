"""Saving the constraint tree of a compiled `cbs`, and checking it when it is read back."""

from math import inf
from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields
from searchkit_robots.compiled.drawing import Route
from searchkit_robots.compiled.saved import are_steps
from searchkit_robots.compiled.tree import NumberedTree
from searchkit_robots.engines._constraints import Claim, Constraints

ENDLESS = 1 << 40
"""Stands for an infinite lower bound."""
NOWHERE = -1


class _Numbers:
    """The numbers of objects, in the order in which they were first met."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self._numbers: dict[int, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of an object."""
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return self._numbers[id(value)]


def _rows(rows: list[Any], columns: int) -> Any:
    return np.array(rows, np.int64).reshape(-1, columns)


def saved_tree(tree: NumberedTree) -> dict[str, Any]:
    """Return what a constraint tree holds, by name. Constraints, claims, paths and diagrams are numbered."""
    paths, rules, claims, diagrams = _Numbers(), _Numbers(), _Numbers(), _Numbers()
    nodes, parts, drawn = [], [], []
    for number, (least, _, turn, node) in enumerate(tree.nodes):
        nodes.append((ENDLESS if least == inf else least, turn, node.evaluated))
        parts += [
            (rules.of(own), paths.of(path)) for own, path in zip(node.constraints, node.paths, strict=True)
        ]
        drawn += [(number, robot, diagrams.of(diagram)) for robot, diagram in node.diagrams.items()]
    drawings = [(each.robot.index, rules.of(each.constraints), each.cost) for each in diagrams.objects]
    limits = [
        (number, kind, time, *place)
        for number, own in enumerate(rules.objects)
        for kind, rows in enumerate((own.vertices, own.edges, own.landmarks, {(own.earliest, 0)}))
        for time, *place in ((*row, NOWHERE) if len(row) == 2 else row for row in sorted(rows))
    ]
    owned = [claims.of(own.claims) for own in rules.objects]
    claimed = [
        (number, robot, time, *((NOWHERE, *way)[-2:]))
        for number, each in enumerate(claims.objects)
        for robot, time, way in each
    ]
    lengths = np.array([len(path) for path in paths.objects], np.int64)
    return {
        "nodes": _rows(nodes, 3),
        "parts": _rows(parts, 2),
        "drawn": _rows(drawn, 3),
        "diagrams": _rows(drawings, 3),
        "limits": _rows(limits, 5),
        "claims": _rows(claimed, 5),
        "owned": np.array(owned, np.int64),
        "lengths": lengths,
        "paths": np.concatenate([path.array for path in paths.objects] or [np.empty(0, np.int32)]),
        "tree": np.array([tree.expanded, tree.generated, tree.tried], np.int64),
        "solvable": bool(tree.solvable),
    }


def restore_tree(tree: NumberedTree, fields: Fields) -> None:
    """Let a fresh constraint tree continue from there. Raises `InputFormatError` if it is not one of this problem."""
    tree.solvable = fields.flag("solvable")
    counts = fields.array("tree", np.int64, length=3, below=1 << 62)
    tree.expanded, tree.generated, tree.tried = counts.tolist()
    lengths = fields.array("lengths", np.int64)
    longest = int(lengths.max(initial=1))
    paths, robot_of = _paths(tree, fields, lengths)
    rules = _rules(tree, fields, longest)
    robots = len(tree.robots)
    rows = fields.array("diagrams", np.int64, columns=3)
    bounds = np.array([robots, len(rules), longest])
    fields.expect(((rows >= 0) & (rows < bounds)).all(), "diagrams", "one is out of range")
    diagrams = []
    for robot, own, cost in rows.tolist():
        drawing = tree.drawn(tree.robots[robot], rules[own], cost)
        fields.expect(drawing.holds(0, tree.robots[robot].start), "diagrams", "one has no paths")
        diagrams.append(drawing)
    nodes = fields.array("nodes", np.int64, columns=3)
    parts = fields.array("parts", np.int64, length=len(nodes) * robots, columns=2)
    below = np.array([len(rules), len(paths)])
    fields.expect(((parts >= 0) & (parts < below)).all(), "parts", "one is out of range")
    same = (robot_of[parts[:, 1]] == np.tile(np.arange(robots), len(nodes))).all() if len(parts) else True
    fields.expect(same, "parts", "a path is another robot's")
    fields.expect(
        (nodes >= 0).all() and (nodes[:, 1] <= tree.generated).all(), "nodes", "one is out of range"
    )
    for number, (least, turn, evaluated) in enumerate(nodes.tolist()):
        own = parts[number * robots : (number + 1) * robots].tolist()
        node = tree.node(tuple(rules[at] for at, _ in own), tuple(paths[at] for _, at in own))
        node.evaluated = bool(evaluated)
        fields.expect(node.cost <= least, "nodes", "a node costs more than its bound")
        tree.nodes.append((inf if least >= ENDLESS else least, len(node.conflicts), turn, node))
    tree.nodes.sort(key=lambda entry: entry[:3])
    fields.expect(len({entry[2] for entry in tree.nodes}) == len(nodes), "nodes", "a turn is there twice")
    by_turn = {entry[2]: entry[3] for entry in tree.nodes}
    drawn = fields.array("drawn", np.int64, columns=3)
    bounds = np.array([len(nodes), robots, len(diagrams)])
    fields.expect(((drawn >= 0) & (drawn < bounds)).all(), "drawn", "one is out of range")
    for number, robot, diagram in drawn.tolist():
        node = by_turn[int(nodes[number, 1])]
        drawing = diagrams[diagram]
        fits = drawing.robot.index == robot and drawing.cost == len(node.paths[robot]) - 1
        fields.expect(fits, "drawn", "a diagram is of another path")
        node.diagrams[robot] = drawing


def _paths(tree: NumberedTree, fields: Fields, lengths: Any) -> tuple[list[Route], Any]:
    """Return the paths, and of which robot each one is."""
    roads = tree.tools.roads
    places = fields.array("paths", np.int32, below=len(roads.degrees))
    fields.expect((lengths > 0).all() and lengths.sum() == len(places), "lengths", "their sum is wrong")
    ends = np.cumsum(lengths)
    begins = ends - lengths
    single = places.reshape(-1, 1)
    steps = np.ones(len(places), bool)
    steps[begins] = False
    after = np.flatnonzero(steps)
    fields.expect(are_steps(roads, single[after - 1], single[after]), "paths", "one is not a step")
    starts = {start: robot for robot, start in enumerate(roads.starts.tolist())}
    robot_of = np.array([starts.get(place, NOWHERE) for place in places[begins].tolist()], np.int64)
    known = (robot_of >= 0).all() and (roads.goals[robot_of] == places[ends - 1]).all()
    fields.expect(known, "paths", "one is not of a robot")
    arrays = [places[begin:end].copy() for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    return [tree.tools.route(array) for array in arrays], robot_of


def _rules(tree: NumberedTree, fields: Fields, longest: int) -> list[Constraints]:
    """Return the constraints. No time is later than the end of the longest path."""
    size = len(tree.tools.roads.degrees)
    owned = fields.array("owned", np.int64)
    claimed = fields.array("claims", np.int64, columns=5)
    limits = fields.array("limits", np.int64, columns=5)
    groups = int(owned.max(initial=-1)) + 1
    fields.expect((owned >= 0).all() and groups <= len(owned), "owned", "one is out of range")
    low, high = np.array([0, 0, 0, NOWHERE, 0]), np.array([groups, len(tree.robots), longest, size, size])
    fields.expect(((claimed >= low) & (claimed < high)).all(), "claims", "one is out of range")
    fields.expect((claimed[claimed[:, 3] >= 0, 2] > 0).all(), "claims", "a move ends at time 0")
    claims: list[list[Claim]] = [[] for _ in range(groups)]
    for group, robot, time, here, there in claimed.tolist():
        claims[group].append((robot, time, (there,) if here < 0 else (here, there)))
    low, high = np.array([0, 0, 0, 0, NOWHERE]), np.array([len(owned), 4, longest, size, size])
    fields.expect(((limits >= low) & (limits < high)).all(), "limits", "one is out of range")
    moves = limits[:, 1] == 1
    fields.expect(((limits[:, 4] >= 0) == moves).all(), "limits", "a move without its end")
    kinds: list[tuple[list[Any], ...]] = [([], [], [], []) for _ in owned]
    for number, kind, time, here, there in limits.tolist():
        kinds[number][kind].append((time, here, there) if kind == 1 else (time, here))
    shared = [tuple(each) for each in claims]
    return [
        Constraints(
            *(frozenset(vertices), frozenset(edges), frozenset(landmarks)),
            claims=shared[group],
            earliest=max((time for time, _ in earliest), default=0),
        )
        for (vertices, edges, landmarks, earliest), group in zip(kinds, owned.tolist(), strict=True)
    ]
