"""Cubes whose faces turn."""
