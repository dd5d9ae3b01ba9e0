"""Kernels over arrays of packed states: expanding, sorting, subtracting, packing into fewer bytes.

An array of states has one dimension if a state is one word, and otherwise a row for each state. States are in the order
of the numbers that they are: of several words, the last one counts most. Each call of a kernel takes a bounded time and
runs without Python's global lock.
"""
