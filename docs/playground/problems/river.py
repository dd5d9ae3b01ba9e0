"""A farmer, a wolf, a goat and a cabbage cross a river."""

from searchkit import SearchProblem

NAMES = {"C": "cabbage", "F": "farmer", "G": "goat", "W": "wolf"}


class River(SearchProblem):  # a state: the initials of those on the left bank | and on the right one
    def initial_states(self):
        return ["CFGW|"]

    def is_goal(self, state):
        return state == "|CFGW"

    def successors(self, state):
        left, right = map(set, state.split("|"))
        for passenger in sorted(left if "F" in left else right):
            banks = left ^ {"F", passenger}, right ^ {"F", passenger}
            [alone] = [bank for bank in banks if "F" not in bank]
            if not {"W", "G"} <= alone and not {"G", "C"} <= alone:
                yield f"cross with {NAMES[passenger]}", "|".join("".join(sorted(bank)) for bank in banks)
