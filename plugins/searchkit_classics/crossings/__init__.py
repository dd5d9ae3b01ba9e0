"""Crossings of a river, in boats and over a bridge."""
