"""The engines in Python compared with a hand-written loop and other Python libraries, on the same functions."""
