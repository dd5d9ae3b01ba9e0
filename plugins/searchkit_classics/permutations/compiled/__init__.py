"""The compiled views of the permutation puzzles."""
