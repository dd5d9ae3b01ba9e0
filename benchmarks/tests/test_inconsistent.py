from benchmarks.python.inconsistent import OURS, inconsistent_graphs, is_wrong, verdict_on
from searchkit.testing.spaces.digraphs import digraph

TRAP = digraph("0 -3→ 2, 0 -1→ 1, 1 -1→ 2, 2 -2→ 3", starts=[0], goals=[3], heuristic={0: 4, 1: 3})
"""A* without reopening answers 5; the least cost is 4."""


def test_ours_is_never_wrong() -> None:
    """No graph of the family, and no smaller one, makes searchkit's A* wrong."""
    verdict = verdict_on(OURS, "", 30, seed=2)
    assert (verdict.wrong, verdict.crashed, verdict.endless, verdict.smallest) == (0, 0, 0, "")


def test_a_wrong_answer_is_seen() -> None:
    """An invalid path, or one that costs more than the least cost, is wrong; the graphs have the stated properties."""
    assert is_wrong("simpleai", TRAP)
    assert not is_wrong("networkx", TRAP)
    assert len(list(inconsistent_graphs(5, seed=1))) == 5
