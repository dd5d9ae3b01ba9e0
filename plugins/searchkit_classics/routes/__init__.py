"""Ways on maps and through words."""
