"""Grading by a rubric: what is asked for, how it is judged, and the points."""
