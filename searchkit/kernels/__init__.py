"""The engines as machine code: same answers and same counters as the engines in Python, tie for tie.

A kernel works on arrays that belong to the run, and returns after a slice of work: so limits are checked, arrays can
grow, and a search can be paused and resumed. `searchkit.compiled.kit` has what all of them share. Needs the extra
`fast`.
"""

# Modules here may share lines: one loop for several engines, the order of the frontier a compile-time policy, is
# slower. Minimum of CPU times on a grid of 700 x 700 cells and a road map of 60,000 nodes: `bucket` and `greedy` in one
# loop, `bucket` takes 3 to 15 % more; the successors of `astar` and `bucket` in one function, `astar` and `dijkstra`
# take 5 to 10 % more; `zero_one` in the loop of `bucket`, 30 % more. What a loop keeps in local variables has to be in
# memory, or in returned tuples, then.
