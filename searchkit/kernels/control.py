"""The numbers that a kernel and its run exchange: places in the array of counters, and why a slice ended."""

GENERATED, EXPANDED, REOPENED, PEAK, SIZE, NODES, REACHED, QUEUED, PUSHED, HEAD_NODE, PARENT, MOVE = range(12)
"""Places in the array of int64. Counters as in the search tree; SIZE, QUEUED and PUSHED, of the frontier; HEAD_NODE,
the node that is next, or the goal; PARENT and MOVE, the action that a slice ended at."""
WAVE, DEPTH = 12, 13
"""Of breadth-first search: where in the queue the next depth begins, and the depth before it."""
REOPENED_FROM, REOPENED_BY = 14, 15
"""The node and the move by which a closed state was reached more cheaply for the first time."""
AGAIN = 16
"""1 if the expansion of HEAD_NODE was broken off: it is done again before all others. Else 0."""
COUNTERS = 17

WORKED, FOUND, EXHAUSTED, FULL, BAD_COST, BAD_ESTIMATE, INCONSISTENT, TOO_LARGE, PAUSED, WIDER = range(10)
"""Why a slice ended: as many expansions as were asked for; a goal; no more states; an array has to grow; a cost or an
estimate that is none; a closed state was reached more cheaply for the first time; a number that the kernel can't
calculate with; so much work that it is time to look at limits, and perhaps between two states; the next numbers may not
fit into the entries of the queue."""
EXACT = 2.0**53
"""Floats hold integers exactly below this. From here on, a kernel might differ from the engine in Python."""
FIRST_STEPS, LEAST_STEPS, MOST_STEPS = 1 << 15, 1 << 10, 1 << 20
"""How much the first slice of a search does, whatever was asked for: actions looked at, entries moved or dropped. It
ends with the expansion in which that many are reached, which has 2¹⁶ actions at most. Then the least and the most."""
SHORT_SECONDS, LONG_SECONDS = 0.002, 0.004
"""What takes less time, or more, changes how much the next slice does."""


def next_steps(steps: int, seconds: float) -> int:
    """Return how many steps the next slice may do, after one that was allowed `steps` and took so many seconds.

    A slice is long in comparison to what calling a kernel takes, some 20 µs. And it is short enough that a search is at
    its limits soon even where a step of the next slice takes ten times as long as one of the last.
    """
    if seconds > LONG_SECONDS:
        return max(LEAST_STEPS, steps // 2 if seconds < 4 * LONG_SECONDS else steps // 8)
    if seconds < SHORT_SECONDS:
        return min(MOST_STEPS, steps * (8 if seconds < SHORT_SECONDS / 16 else 2))
    return steps
