"""Checking that a compiled view agrees with its problem."""

from collections.abc import Collection
from math import inf, isnan
from typing import Any

from hypothesis.strategies import SearchStrategy

from searchkit.errors import MissingCapabilityError
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import Compilable, SupportsSearch, has_heuristic
from searchkit.testing.reports import EXAMPLES, HOLDS, Finding, Report, Trials, cases_of
from searchkit.testing.spaces.space import explore

PROMISES = {
    "packing": "each state is packed as a number of its own, which fits into its 64-bit words, and unpacked again",
    "starts and goals": "the same states are goals",
    "actions": "the same successors, in the same order, and no more of them than the view's branching",
    "costs": "each action costs the same",
    "heuristic": "each state has the same heuristic value, to the last bit",
    "whole numbers": "if the view says so, all its numbers are integers",
    "undirected": "if the view says so, each state is a successor of its successors",
}


def check_compiled(
    subject: SupportsSearch[Any, Any] | ProblemSpec | SearchStrategy[Any] | str,
    *,
    max_states: int = 2_000,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Report:
    """Check that a problem's compiled view is the same problem, in every reachable state.

    Args:
        subject: a problem; a Hypothesis strategy of problems; or a kind of problem, by its `ProblemSpec` or name: then
            its strategy. Problems of a strategy without a compiled view are skipped.
        max_states: the largest number of states of a problem that are expanded.
        examples: the number of problems to draw from a strategy.
        seed: the seed of the drawn problems. The same arguments give the same report.

    Raises:
        CheckFailure: view and problem differ. The report shows the smallest case found.
        MissingCapabilityError: the problem has no compiled view, or the kind of problem no strategy.
        MissingExtraError: Numba is not installed.
        UnknownNameError: there is no such kind of problem.

    Example:
        >>> from searchkit.testing import check_compiled
        >>> from searchkit_dungeon import grid
        >>> check_compiled(grid(["S.#G", "...."], moves=8)).holds
        True

    """
    __tracebackhide__ = True  # pytest shows the report, and not this function
    name, cases = cases_of(subject)
    single = not isinstance(cases, SearchStrategy)
    if single and not isinstance(subject, Compilable):
        raise MissingCapabilityError(f"{name} has no compiled view: it has no method compiled()")

    def try_on(problem: Any, promises: Collection[str]) -> dict[str, Finding]:
        try:
            problem.compiled()
        except (AttributeError, MissingCapabilityError):  # it may be too large for the views of its class
            if single:
                raise
            return {}
        if fault := _fault(problem, max_states):
            promise, detail = fault
            return {promise: Finding("fails", detail, problem=problem)} if promise in promises else {}
        return dict.fromkeys(promises, HOLDS)

    trials = Trials(PROMISES, try_on, "check_compiled(problem)")
    trials.run(cases, examples, seed)
    return trials.report(f"the compiled view{'' if single else 's'} of {name}")


def _fault(problem: Any, max_states: int) -> tuple[str, str] | None:
    """Return the difference that is the nearest to the start, and the promise that it breaks; None if there is none."""
    from searchkit.compiled.kit import SearchSpace, as_words, state_array

    # asked first, so that a problem that shares data with its view computes them in Python
    space, guided = explore(problem, max_states), has_heuristic(problem)
    h = {state: problem.heuristic(state) if guided else 0 for state in space.edges}
    view = problem.compiled()
    probe, numbers = SearchSpace(view), dict[int, Any]()
    if guided and view.heuristic is None:
        return "heuristic", "the problem has a heuristic, and the view has none"
    for state, edges in space.edges.items():
        packed = view.pack(state)
        if not isinstance(packed, int) or not 0 <= packed < 2 ** (64 * view.words) - 1:
            bound = f"2**{64 * view.words} − 2"
            return "packing", f"{state!r} is packed as {packed!r}, which is not a number from 0 to {bound}"
        if numbers.setdefault(packed, state) != state:
            return "packing", f"{state!r} and {numbers[packed]!r} are both packed as {packed}"
        unpacked = [view.unpack(packed)]
        if view.unpack_all is not None:
            states = state_array(1, view.words)
            states[0] = as_words(packed, view.words)
            unpacked += view.unpack_all(states)
        if any(one != state for one in unpacked):
            return "packing", f"{state!r} is packed as {packed}, which is unpacked to {unpacked!r}"
        if probe.is_goal(packed) != (state in space.goals):
            return "starts and goals", f"is_goal({state!r}) is {state in space.goals}, compiled the opposite"
        if len(edges) > probe.branching:
            return "actions", f"{state!r} has {len(edges)} successors, the branching is {probe.branching}"
        found = [(view.unpack(successor), cost) for successor, cost in probe.successors(packed)]
        expected, got = [successor for _, successor, _ in edges], [successor for successor, _ in found]
        if got != expected:
            return "actions", f"the successors of {state!r} are {expected!r}, compiled {got!r}"
        for (action, successor, true), (_, cost) in zip(edges, found, strict=True):
            if not _stands_for(cost, true):
                return "costs", f"cost({state!r}, {action!r}, {successor!r}) is {true}, compiled {cost}"
            if view.whole and cost != int(cost):
                return "whole numbers", f"an action out of {state!r} costs {cost}"
            if view.undirected and all(back != state for _, back in problem.successors(successor)):
                said = f"an action leads from {state!r} to {successor!r}, and no action leads back"
                return "undirected", said
        value = probe.value(packed) if guided else 0
        if not _stands_for(value, h[state]) and not (isnan(value) and isnan(h[state])):
            return "heuristic", f"heuristic({state!r}) is {h[state]}, compiled {value}"
        if view.whole and value not in (inf, value // 1):
            return "whole numbers", f"the heuristic value of {state!r} is {value}"
    return None


def _stands_for(number: float, true: Any) -> bool:
    """Whether a number of a view means that of the problem. Numbers that machine code refuses are all alike."""
    refused = isinstance(true, int) and true >= 1 << 53 and 1 << 53 <= number < inf
    return bool(number == true) or refused
