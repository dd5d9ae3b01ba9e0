"""Engines that repair what they know when the problem changes: the algorithm in `repair`, and its two directions.

The cost so far of a state is held twice (Koenig, Likhachev and Furcy 2004): as g, from when the state was last
expanded, and as rhs, the least of g + cost over its neighbours now. A state is *consistent* if both are equal; the
others wait in the queue. `searchkit.Replanner` tells the engines what has changed.
"""
# Modules here may share lines: each file shows one algorithm whole, and calls in the inner loop would slow it down.
