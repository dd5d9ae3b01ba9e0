"""Running a student's code in a contained process, as the grader sees it."""
