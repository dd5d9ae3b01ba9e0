"""The numbers that a kernel and its run exchange: places in the array of counters, and why a slice ended."""

GENERATED, EXPANDED, REOPENED, PEAK, SIZE, NODES, REACHED, QUEUED, PUSHED, HEAD_NODE, PARENT, MOVE = range(12)
"""Places in the array of int64. Counters as in the search tree; SIZE, QUEUED and PUSHED, of the frontier; HEAD_NODE,
the node that is next, or the goal; PARENT and MOVE, the action that a slice ended at."""
WAVE, DEPTH = 12, 13
"""Of breadth-first search: where in the queue the next depth begins, and the depth before it."""
COUNTERS = 14

WORKED, FOUND, EXHAUSTED, FULL, BAD_COST, BAD_ESTIMATE, INCONSISTENT, TOO_LARGE = range(8)
"""Why a slice ended: as many expansions as were asked for; a goal; no more states; an array has to grow; a cost or an
estimate that is none; a closed state was reached more cheaply for the first time; a number does
not fit into the entries of the queue."""
