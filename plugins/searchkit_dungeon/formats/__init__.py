"""Formats of map files: text maps, MovingAI maps and MovingAI scenarios."""
