"""Jump point search: the engine `jps`, and the same in machine code."""
