"""How fast searchkit is, next to hand-tuned C++, a hand-written loop and other libraries: `python -m benchmarks`."""
