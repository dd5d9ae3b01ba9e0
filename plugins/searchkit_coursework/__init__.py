"""Coursework: the commands `searchkit check` and `searchkit grade`.

plugin.py         the hook
commands/         the two commands
maps.py           maps of a rubric, with their state spaces and exact distances
checking.py       runs the checks of `searchkit.testing` on a plain file, within limits
grading/          the rubric, the properties that it can ask for, the points, the files of results
sandbox/          the grader's side of a student's process: limits, questions and answers, how it ended
student/          the process in which a student's code is graded

This module imports nothing: the student's process imports it too.
"""
