"""Jump point search: the engines `jps` and `jps+`, their tables, and the same in machine code."""
