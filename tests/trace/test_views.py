"""What is made from recordings: the first difference of two, and step tables."""

from typing import Any

import pytest

from searchkit import Limits, load, record, trace_table
from searchkit.trace import first_difference
from searchkit.trace.file import pack, unpack
from tests.trace.roads import FAR, ROADS, Roads

# The first difference


class Elsewhere(Roads):
    """Roads with something changed."""

    def __init__(self, **changed: Any):
        self.changed = changed

    def successors(self, state: str) -> list[tuple[str, str]]:
        edges = super().successors(state)
        return self.changed.get("edges", {}).get(state, edges)  # type: ignore[no-any-return]

    def cost(self, state: str, action: str, to: str) -> int:
        return self.changed.get("costs", {}).get(action, ROADS[state][to])  # type: ignore[no-any-return]

    def heuristic(self, state: str) -> int:
        return self.changed.get("heuristic", FAR)[state]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("changed", "reason", "text"),
    [
        ({"costs": {"BC": 2}}, "cost", "after 2 expansions: C has the cost 3 in dijkstra and 4 in dijkstra"),
        (
            {"edges": {"A": [("AC", "C"), ("AB", "B")]}},
            "state",
            "after 1 expansion: dijkstra reaches B, dijkstra reaches C",
        ),
        ({"edges": {"A": [("!", "B")]}}, "parent", "from A by AB and from A by !"),
        ({"edges": {"C": []}}, "event", "dijkstra reaches E, dijkstra expands D"),
    ],
)
def test_reasons(changed: dict[str, Any], reason: str, text: str) -> None:
    """Another cost, another state, another action, something else."""
    one, other = record(Roads(), "dijkstra"), record(Elsewhere(**changed), "dijkstra")
    found = first_difference(one, other)
    assert found is not None
    assert found.reason == reason
    assert text in str(found)
    swapped = first_difference(other, one)
    assert swapped is not None
    assert (swapped.reason, swapped.times, swapped.expansions) == (
        reason,
        found.times[::-1],
        found.expansions,
    )


def test_another_heuristic_is_a_reason() -> None:
    """If both engines use one."""
    other = record(Elsewhere(heuristic={**FAR, "D": 3}), "astar")
    assert str(first_difference(record(Roads(), "astar"), other)) == (
        "after 1 expansion: D has the heuristic value 4 in astar and 3 in astar"
    )
    found = first_difference(record(Roads(), "dijkstra"), record(Roads(), "astar"))
    assert found is not None
    assert found.reason == "state"
    assert "f of B and C is 2 and 5 in dijkstra and 9 and 6 in astar" in str(found)


def test_ties_are_a_reason() -> None:
    """Both states look equally good to both."""
    found = first_difference(
        record(load("maze"), "astar", ties="lifo"), record(load("maze"), "astar", ties="fifo")
    )
    assert found is not None
    assert found.reason == "tie"
    assert "a tie" in str(found)


def test_one_may_be_over() -> None:
    """While the other is not."""
    whole = record(Roads(), "bfs")
    begin = record(Roads(), "bfs", limits=Limits(expansions=2))
    found = first_difference(whole, begin)
    assert found is not None
    assert (found.reason, found.times, found.expansions) == ("end", (len(begin), len(begin)), 2)
    assert str(found) == "after 2 expansions: bfs is over (cutoff), bfs expands C"


@pytest.mark.parametrize("engine", ["astar", "bidirectional", "idastar"])
def test_a_file_does_not_differ(engine: str) -> None:
    """From the recording that it was written from."""
    recording = record(Roads(), engine)
    assert first_difference(recording, unpack(pack(recording))) is None
    assert first_difference(unpack(pack(recording)), unpack(pack(recording))) is None


# Step tables


def test_a_table_has_a_row_for_each_expansion() -> None:
    """With exact numbers; the frontier as it is before the expansion, its first state first."""
    table = trace_table(record(Roads(), "astar"), frontier=True)
    assert list(table[:3]) == [
        (1, "A", 0, 7, 7, ("A",)),
        (2, "C", 5, 1, 6, ("C", "B", "D")),
        (3, "B", 2, 7, 9, ("B", "D", "E")),
    ]
    sizes = [step.frontier for step in trace_table(record(Roads(), "astar"))]
    assert sizes == [len(step.frontier) for step in table if isinstance(step.frontier, tuple)]
    assert str(table).splitlines()[2] == "   2  C      5  1  6  C, B, D"
    assert repr(table) == str(table)


def test_a_long_table_is_shortened() -> None:
    """In print; the rows are all there."""
    table = trace_table(record(load("maze"), "dijkstra"))
    assert len(table) == 540
    assert table[0].h is None
    assert str(table).splitlines()[31] == "… 505 more …"
