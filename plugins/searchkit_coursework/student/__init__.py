"""The process in which a student's code is graded: it holds no engine, no plugin and no map."""
