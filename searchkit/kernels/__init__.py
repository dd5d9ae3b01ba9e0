"""The engines as machine code: same answers and same counters as the engines in Python, tie for tie.

A kernel works on arrays that lie outside it, and returns after a slice of work: to look at limits, to let the arrays
grow, or because the search is over. So it can be paused and resumed as engines can. Needs the extra `fast`.
"""
