"""How fast searchkit is, next to a hand-written loop and to other Python libraries: `python -m benchmarks`."""
