"""searchkit through its public function `solve`."""

from collections.abc import Callable

from benchmarks.python.answer import Answer
from benchmarks.python.domains.instance import Counter
from benchmarks.python.workloads import Workload
from searchkit import SearchProblem, problem_from, solve

PACKAGE = "statespace-searchkit"
EASIER = ""


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run of `solve` with the engine of the algorithm's name and its default options."""
    problems = [
        problem_from(
            [instance.start],
            instance.successors,
            instance.goal_test(),
            cost=instance.cost,
            heuristic=instance.heuristic if workload.algorithm == "astar" else None,
        )
        for instance in workload.instances
    ]
    return lambda: [answer(problem, workload.algorithm) for problem in problems]


def answer(problem: SearchProblem[object, object], engine: str) -> Answer:
    """Solve one problem."""
    result = solve(problem, engine)
    if result.solution is None:
        return Answer(result.statistics.reached)
    cost = result.solution.cost
    assert isinstance(cost, int)
    return Answer(cost, result.solution.states, result.solution.actions)
