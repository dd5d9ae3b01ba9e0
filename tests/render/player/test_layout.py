"""Where nodes stand: the tidy layout of trees, and the layers of graphs."""

from collections import defaultdict
from itertools import pairwise
from math import isclose

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.render.player.javascript import Script

SCRIPT = Script(
    """
function tree(parents) {
  const { x, y, width, height } = tidy(Int32Array.from(parents));
  return { x: Array.from(x).slice(0, parents.length), y: Array.from(y), width, height };
}
function graph(count, edges, starts) {
  const { x, y, width, height } = layered(count, edges, starts);
  return { x: Array.from(x), y: Array.from(y), width, height };
}
"""
)
SLACK = 1e-6


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    """Return the parent of each node, -1 at a root; parents come before their children."""
    size = draw(st.integers(0, 40))
    return [draw(st.integers(-1 if n == 0 or draw(st.booleans()) else 0, n - 1)) for n in range(size)]


@given(forests())
@settings(max_examples=300)
def test_a_tree_is_tidy(parents: list[int]) -> None:
    """Levels are depths, nodes of a level keep order and distance, parents are over the middle of their children."""
    found = SCRIPT.call("tree", parents)
    x, y = found["x"], found["y"]
    levels = defaultdict(list)
    kids = defaultdict(list)
    for n, above in enumerate(parents):
        assert y[n] == (y[above] + 1 if above >= 0 else 0)
        kids[above].append(n)
    order = [-1]
    for n in order:  # breadth first, so that a level comes from left to right
        order.extend(kids[n])
    for n in order[1:]:
        levels[y[n]].append(x[n])
    for level in levels.values():
        assert all(right - left >= 1 - SLACK for left, right in pairwise(level))
    for n, children in kids.items():
        if n >= 0 and children:
            assert isclose(x[n], (x[children[0]] + x[children[-1]]) / 2, abs_tol=SLACK)
    if parents:
        assert isclose(min(x), 0, abs_tol=SLACK)
        assert isclose(found["width"], max(x) + 1)
        assert found["height"] == max(y) + 1


@given(st.integers(1, 12), st.data())
@settings(max_examples=100)
def test_layers_are_steps_from_the_starts(count: int, data: st.DataObject) -> None:
    """No two nodes of a layer share a place."""
    node = st.integers(0, count - 1)
    edges = data.draw(st.lists(st.tuples(node, node), max_size=30))
    starts = sorted(data.draw(st.sets(node, min_size=1)))
    found = SCRIPT.call("graph", count, edges, starts)
    steps = dict.fromkeys(starts, 0)
    queue = list(starts)
    for n in queue:
        for a, b in edges:
            if a == n and b not in steps:
                steps[b] = steps[n] + 1
                queue.append(b)
    assert [y - 0.5 for y in found["y"]] == [steps.get(n, 0) for n in range(count)]
    assert len({(round(x, 6), y) for x, y in zip(found["x"], found["y"], strict=True)}) == count
