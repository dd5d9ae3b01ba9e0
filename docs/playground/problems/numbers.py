"""From 1 to 100 by doubling and adding 3."""

from searchkit import SearchProblem


class Numbers(SearchProblem):
    def initial_states(self):
        return [1]

    def is_goal(self, state):
        return state == 100

    def successors(self, state):
        if state < 100:
            yield "double", 2 * state
            yield "add 3", state + 3

    def heuristic(self, state):  # the fewest doublings, if nothing else were needed
        steps = 0
        while 0 < state < 100:
            state *= 2
            steps += 1
        return 0 if state == 100 else max(0, steps - 1)
