"""Drawings of plugins, as text for terminals and as pictures."""
