"""How far states are from the starts: the distance of each one, or how many there are at each distance."""
