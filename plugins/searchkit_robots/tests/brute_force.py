"""An oracle that shares nothing with the plugin: every joint plan up to a length, one by one."""

from collections.abc import Iterator
from itertools import product

from searchkit_robots import MultiAgentGrid

Cells = tuple[tuple[int, int], ...]


def plans(problem: MultiAgentGrid, horizon: int) -> Iterator[list[Cells]]:
    """Yield every plan without conflicts of exactly `horizon` steps."""
    terrain = problem.terrain
    floor = {(x, y) for x in range(terrain.width) for y in range(terrain.height) if terrain.weight((x, y))}

    def extend(plan: list[Cells]) -> Iterator[list[Cells]]:
        if len(plan) == horizon + 1:
            if plan[-1] == problem.goals:
                yield plan
            return
        now = plan[-1]
        options = [
            [c for c in ((x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if c in floor]
            for x, y in now
        ]
        for after in product(*options):
            if len(set(after)) < len(after):
                continue
            moved = {(a, b) for a, b in zip(now, after, strict=True) if a != b}
            if any((b, a) in moved for a, b in moved):
                continue
            yield from extend([*plan, after])

    return extend([problem.starts])


def cost_of(problem: MultiAgentGrid, plan: list[Cells]) -> int:
    """Return the sum, or the largest, of the least times from which on each robot is at its goal in the plan."""
    times = []
    for robot, goal in enumerate(problem.goals):
        time = len(plan) - 1
        while time > 0 and plan[time - 1][robot] == goal:
            time -= 1
        times.append(time)
    return sum(times) if problem.objective == "sum-of-costs" else max(times)


def least_cost(problem: MultiAgentGrid, horizon: int) -> int | None:
    """Return the least cost of all plans, or None if `horizon` steps are not enough to prove it.

    A plan that needs more steps costs more than `horizon`, so a cost up to `horizon` + 1 is the least of all.
    """
    least = min((cost_of(problem, plan) for plan in plans(problem, horizon)), default=None)
    return least if least is not None and least <= horizon + 1 else None
