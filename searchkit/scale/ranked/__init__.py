"""Breadth-first search in two bits a state, for problems whose compiled view has a `Ranking`."""
