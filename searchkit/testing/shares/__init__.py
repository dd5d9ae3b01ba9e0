"""How many drawn problems are not trivial."""
