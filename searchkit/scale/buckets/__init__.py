"""Search on disk in the order of costs: buckets of states with the same f and g, and the engines that expand them.

A round expands a bucket (`tasks.expand_bucket`) into files that wait for their own buckets, and merges them when their
turn comes. What a round shares with the layers of breadth-first search is in `searchkit.scale.external`.
"""
