"""The numbers that a kernel and its run exchange: places in the array of counters, and the reason why a slice ended.

Used as a namespace: `counters[control.GENERATED]`, `return control.FOUND`.
"""

GENERATED, EXPANDED, REOPENED, PEAK, SIZE, NODES, REACHED, QUEUED, PUSHED, HEAD_NODE, PARENT, MOVE = range(12)
"""Places in an array of int64. Those of `SearchTree`'s counters; SIZE, QUEUED and PUSHED, counters of the frontier;
HEAD_NODE, the node to be expanded next, or the goal; PARENT and MOVE, the action at which the slice ended."""
LAYER, DEPTH = 12, 13
"""In breadth-first search: the place in the queue where the next layer begins, and the depth of the present layer."""
REOPENED_FROM, REOPENED_BY = 14, 15
"""The node and the move by which a closed state was reached more cheaply for the first time."""
COUNTERS = 16

WORKED, FOUND, EXHAUSTED, FULL, BAD_COST, BAD_HEURISTIC, INCONSISTENT, TOO_LARGE, PAUSED = range(9)
"""Why a slice ended: it made all expansions that were asked for; a goal was found; no states are left; an array has to
grow; an invalid cost or heuristic value; a closed state was reached more cheaply for the first time; a number is too
large for the kernel; the steps of the slice are used up, perhaps between two states."""
EXACT = 2.0**53
"""Floats represent all integers below this exactly. Kernels raise `InexactError` for larger numbers."""
FIRST_STEPS, LEAST_STEPS, MOST_STEPS = 1 << 15, 1 << 10, 1 << 20
"""The steps of the first slice of a search, and the bounds of the steps of the others. A step is an action that is
looked at, or an entry of the queue that is moved or dropped. A slice ends with the expansion that uses up its steps;
that expansion has 2¹⁶ actions at most."""
SHORT_SECONDS, LONG_SECONDS = 0.002, 0.004
"""If a slice takes less time, or more, the next one is given more or fewer steps."""


def next_steps(steps: int, seconds: float) -> int:
    """Return the number of steps of the next slice, after a slice of `steps` steps that took `seconds`.

    A slice takes much longer than the call of a kernel, about 20 µs, and is still short enough that the search notices
    its limits soon if a step of the next slice takes ten times as long as a step of the last one.
    """
    if seconds > LONG_SECONDS:
        return max(LEAST_STEPS, steps // 2 if seconds < 4 * LONG_SECONDS else steps // 8)
    if seconds < SHORT_SECONDS:
        return min(MOST_STEPS, steps * max(2, int(min(8.0, LONG_SECONDS / max(seconds, 1e-6)))))
    return steps
