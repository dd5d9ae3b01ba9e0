"""Contraction hierarchies as machine code."""
