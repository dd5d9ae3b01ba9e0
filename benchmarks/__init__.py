"""The speed of searchkit compared with C++, a hand-written loop and other libraries: `python -m benchmarks`."""
