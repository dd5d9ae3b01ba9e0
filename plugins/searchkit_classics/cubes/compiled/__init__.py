"""The compiled views of the cubes."""
