"""The engines in Python, compared with a hand-written loop, other libraries and other versions of Python."""
