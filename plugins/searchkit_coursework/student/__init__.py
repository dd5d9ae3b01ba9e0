"""The process in which a student's code is graded: standard library only, for nothing else is bound there."""
