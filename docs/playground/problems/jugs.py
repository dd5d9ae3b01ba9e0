"""Measure 4 litres with jugs of 5 and 3."""


class Jugs:  # a state: litres in the jug of 5, litres in the jug of 3
    def initial_states(self):
        return [(0, 0)]

    def is_goal(self, state):
        return 4 in state

    def successors(self, state):
        a, b = state
        yield "fill 5", (5, b)
        yield "fill 3", (a, 3)
        yield "empty 5", (0, b)
        yield "empty 3", (a, 0)
        poured = min(a, 3 - b)
        yield "pour 5 into 3", (a - poured, b + poured)
        poured = min(b, 5 - a)
        yield "pour 3 into 5", (a + poured, b - poured)
