"""Puzzles whose moves rearrange: stacks, a ring, discs on pegs."""
