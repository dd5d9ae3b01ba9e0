"""Jump point search as machine code."""
