"""The compiled view of a board."""

# Modules here may share lines: a state is a number in `narrow` and an array of words in `wide`, and a compiled function
# has one type of state.
