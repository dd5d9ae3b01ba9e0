"""Step tables, which are made from recordings."""

from searchkit import record, trace_table
from tests.trace.roads import Roads


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
