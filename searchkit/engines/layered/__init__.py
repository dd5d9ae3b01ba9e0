"""Engines that work in rounds of expand and merge, so that most of what they hold can stand on disk.

Duplicates are found late: a round expands a whole layer, and only then are the successors that were generated several
times, or that belong to earlier layers, removed (*delayed duplicate detection*, Korf 2003). The forms here keep
everything in memory and show the algorithm; the compiled forms keep sorted runs of packed states on disk.
"""
