"""Running a student's code in a limited process, as the grader sees it."""
