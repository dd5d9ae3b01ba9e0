"""Coursework: the commands `searchkit check` and `searchkit grade`.

plugin.py       the hook
check.py        `searchkit check`: the checks of `searchkit.testing` on a plain file, within limits
grade.py        `searchkit grade`; report.py prints the grades and makes files of them
rubric.py       maps, criteria and points; maps.py has the maps with their state spaces and exact distances
grader.py       the points of a submission, by properties.py; planted.py tries a rubric
sandbox.py      a student's process, contained; service.py answers its questions, and counts
student/        the process in which a student's code is graded

This module imports nothing: the student's process imports it too.
"""
