"""Machine code for grids."""
