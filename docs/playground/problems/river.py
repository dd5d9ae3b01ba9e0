"""A farmer, a wolf, a goat and a cabbage cross a river."""

from searchkit import SearchProblem

NAMES = {"C": "cabbage", "F": "farmer", "G": "goat", "W": "wolf"}


class River(SearchProblem):  # a state: those on the left | right
    def initial_states(self):
        return ["CFGW|"]

    def is_goal(self, state):
        return state == "|CFGW"

    def successors(self, state):
        left, right = map(set, state.split("|"))
        for who in sorted(left if "F" in left else right):
            banks = left ^ {"F", who}, right ^ {"F", who}
            [alone] = [bank for bank in banks if "F" not in bank]
            if not {"W", "G"} <= alone and not {"G", "C"} <= alone:
                after = "|".join("".join(sorted(b)) for b in banks)
                yield f"cross with {NAMES[who]}", after
