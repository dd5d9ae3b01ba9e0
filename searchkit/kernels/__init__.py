"""The engines as machine code: same answers and same counters as the engines in Python, tie for tie.

A kernel works on arrays that belong to the run, and returns after a slice of work: so limits are checked, arrays can
grow, and a search can be paused and resumed. `searchkit.compiled.kit` has what all of them share. Needs the extra
`fast`.
"""
