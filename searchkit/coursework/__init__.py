"""Students' code, checked and graded: run in processes of its own with limits, and judged outside of them.

sandbox.py   runs a job in a limited process, and says how it ended        (the grader's side)
worker.py    that process: loads the student's file, and reports what it does
rubric.py    what is graded, read from TOML
grading.py   runs a submission on the maps of a rubric, and gives its points
checking.py  runs the checks of `searchkit.testing` on a plain file
"""
