"""Formats of graph files: edge lists and DIMACS files."""
