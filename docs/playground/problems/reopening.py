"""An inconsistent heuristic: A* expands C twice."""

from searchkit import problem_from

roads = {
    "S": {"A": 1, "B": 1},
    "A": {"C": 1},
    "B": {"C": 2},
    "C": {"G": 3},
    "G": {},
}
h = {"S": 0, "A": 4, "B": 0, "C": 0, "G": 0}  # never too large, but it drops by 4 from A to C

problem = problem_from(
    initial=["S"],
    successors=lambda city: [(f"to {there}", there) for there in roads[city]],
    is_goal=lambda city: city == "G",
    cost=lambda city, action, there: roads[city][there],
    heuristic=lambda city: h[city],
)
