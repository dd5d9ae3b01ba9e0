"""The compiled views of the cubes, and the search that fills the pattern databases."""
