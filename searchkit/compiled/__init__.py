"""Compiled views of problems: packed states as data and as machine code."""
