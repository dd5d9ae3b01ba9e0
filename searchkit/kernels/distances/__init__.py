"""Searches without goals that write distances into plain arrays, for distance maps and their arrays.

They are forms of `bfs` and `dijkstra`, with the same counters and paths, for graphs that allow it.
"""
