"""The engines for robots as machine code: same plans and same counters as in Python, tie for tie."""
