"""Engines that find several paths: the k cheapest, and all that cost the least."""
