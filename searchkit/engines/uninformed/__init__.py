"""Engines that don't use a heuristic: one textbook algorithm per file."""
# Modules here may share lines: each file shows one algorithm whole, and calls in the inner loop would slow it down.
