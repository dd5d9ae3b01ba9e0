"""Problems with one wrong member each, which type checkers name, as their docstrings say."""

from searchkit import SearchProblem, solve


class Starts:
    """One start."""

    def initial_states(self) -> list[int]:
        return [10]


class Steps:
    """One action."""

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("minus one", state - 1)]


class Goal:
    """One goal."""

    def is_goal(self, state: int) -> bool:
        return state == 0


class Price:
    """Costs."""

    def cost(self, state: int, action: str, successor: int) -> int:
        return 2


class Guess:
    """A heuristic."""

    def heuristic(self, state: int) -> int:
        return state


class CostOfState(Starts, Steps, Goal, SearchProblem[int, str]):
    """Named: cost."""

    def cost(self, state: int) -> int:
        return state


solve(CostOfState())


class HeuristicMayBeNone(Starts, Steps, Goal, SearchProblem[int, str]):
    """Named: heuristic."""

    def heuristic(self, state: int) -> int | None:
        return state if state < 5 else None


solve(HeuristicMayBeNone())


class MissingSuccessors(Starts, Goal, SearchProblem[int, str]):
    """Named: successors."""


solve(MissingSuccessors())


class OneInitialState(Steps, Goal, SearchProblem[int, str]):
    """Named: initial_states."""

    def initial_states(self) -> int:
        return 10


solve(OneInitialState())


class StatesAsSuccessors(Starts, Goal, SearchProblem[int, str]):
    """Named: successors."""

    def successors(self, state: int) -> list[int]:
        return [state - 1]


solve(StatesAsSuccessors())


class SwappedPairs(Starts, Goal, SearchProblem[int, str]):
    """Named: successors."""

    def successors(self, state: int) -> list[tuple[int, str]]:
        return [(state - 1, "minus one")]


solve(SwappedPairs())


class UnhashableState(SearchProblem[list[int], str]):
    """Named: Hashable."""

    def initial_states(self) -> list[list[int]]:
        return [[10]]

    def successors(self, state: list[int]) -> list[tuple[str, list[int]]]:
        return []

    def is_goal(self, state: list[int]) -> bool:
        return state == [0]


solve(UnhashableState())


class GoalInsteadOfTest(Starts, Steps, Price, Guess):
    """Named: is_goal."""

    is_goal = 0


goal_instead_of_test: SearchProblem[int, str] = GoalInsteadOfTest()


class MissingGoalTest(Starts, Steps, Price, Guess):
    """Named: is_goal."""


missing_goal_test: SearchProblem[int, str] = MissingGoalTest()


class TextAsCost(Starts, Steps, Goal, Guess):
    """Named: cost."""

    def cost(self, state: int, action: str, successor: int) -> str:
        return "2"


text_as_cost: SearchProblem[int, str] = TextAsCost()
