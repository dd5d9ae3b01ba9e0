"""Checking that a compiled view agrees with its problem."""

from collections.abc import Collection, Iterator
from math import inf, isnan
from typing import Any

from hypothesis.strategies import SearchStrategy

from searchkit.compiled.array_layout import Arrayable, ArrayLayout, layout_of
from searchkit.compiled.view import END_OF_EXACT, Functions
from searchkit.errors import InvalidOptionError, MissingCapabilityError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import Compilable, SupportsSearch, has_cost, has_heuristic
from searchkit.testing.reports import EXAMPLES, Report
from searchkit.testing.runner import HOLDS, Finding, Trials

PROMISES = {
    "packing": "each state is packed as a number of its own, which fits into its 64-bit words, and unpacked again",
    "starts and goals": "the same states are goals",
    "actions": "the same successors, in the same order, and no more of them than the view's branching",
    "costs": "each action costs the same",
    "heuristic": "each state has the same heuristic value, to the last bit",
    "whole numbers": "if the view says so, all its numbers are integers",
    "undirected": "if the view says so, each state is a successor of its successors",
    "array layout": "if the problem has one with strides, each state is packed as the number that its index gives",
}
Fault = tuple[str, str]


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
        MissingCapabilityError: the problem has no compiled view.
        MissingExtraError: Numba is not installed.
        InvalidOptionError: the subject is none of these.

    Example:
        >>> from searchkit.testing import check_compiled
        >>> from searchkit_dungeon import grid
        >>> check_compiled(grid(["S.#G", "...."], moves=8)).holds
        True

    """
    if isinstance(subject, str):
        subject = registry().problem(subject)
    if isinstance(subject, ProblemSpec):
        if subject.strategy is None:
            raise InvalidOptionError(
                f"problem {subject.name!r} has no strategy; give a problem or a strategy"
            )
        name, subject = f"problem {subject.name}", subject.strategy()
    else:
        name = f"problem {type(subject).__name__}"
    drawn = isinstance(subject, SearchStrategy)
    if not (drawn or isinstance(subject, Compilable)):
        raise MissingCapabilityError(
            f"{type(subject).__name__} has no compiled view: it has no method compiled()"
        )

    def try_on(problem: Any, promises: Collection[str]) -> dict[str, Finding]:
        if drawn and not _compilable(problem):
            return {}
        for promise, detail in _faults(problem, max_states):  # the first is the nearest to the start
            return {promise: Finding("fails", detail, problem=problem)} if promise in promises else {}
        return dict.fromkeys(promises, HOLDS)

    trials = Trials(PROMISES, try_on, "check_compiled(problem)")
    if isinstance(subject, SearchStrategy):
        trials.draw(subject, examples, seed)
    else:
        trials.add(subject)
    views = "views" if drawn else "view"
    return Report(f"the compiled {views} of {name}", trials.checks(), trials.examples).or_raise()


def _compilable(problem: Any) -> bool:
    """Whether this instance has a compiled view; it may be too large for the views of its class."""
    if not isinstance(problem, Compilable):
        return False
    try:
        problem.compiled()
    except MissingCapabilityError:
        return False
    return True


def _faults(problem: Any, max_states: int) -> Iterator[Fault]:
    """Yield the differences, in the order of a breadth-first walk."""
    from searchkit.compiled.kit import Probe, as_words, state_array

    costs, guided = has_cost(problem), has_heuristic(problem)
    met = dict.fromkeys(problem.initial_states())
    for state in met:  # asked first: a problem that shares data with its view computes them in Python then
        list(problem.successors(state))
        if guided:
            problem.heuristic(state)
    view = problem.compiled()
    probe, layout = Probe(view), layout_of(problem) if isinstance(problem, Arrayable) else None
    numbers: dict[int, Any] = {}
    found_so_far = list(met)
    for state in found_so_far:
        if len(numbers) == max_states:
            return
        packed = view.pack(state)
        if not isinstance(packed, int) or not 0 <= packed < 2 ** (64 * view.words) - 1:
            bound = f"2**{64 * view.words} − 2"
            yield "packing", f"{state!r} is packed as {packed!r}, which is not a number from 0 to {bound}"
            return
        if numbers.setdefault(packed, state) != state:
            yield "packing", f"{state!r} and {numbers[packed]!r} are both packed as {packed}"
        if view.unpack(packed) != state:
            yield "packing", f"{state!r} is packed as {packed}, which unpacks to {view.unpack(packed)!r}"
        if view.unpack_all is not None:
            states = state_array(1, view.words)
            states[0] = as_words(packed, view.words)
            together = list(view.unpack_all(states))
            if together != [state]:
                yield "packing", f"{state!r} is packed as {packed}, which unpack_all unpacks to {together!r}"
        found_goal, true_goal = probe.is_goal(packed), bool(problem.is_goal(state))
        if found_goal != true_goal:
            yield "starts and goals", f"is_goal({state!r}) is {true_goal}, compiled {found_goal}"
        expected = [successor for _, successor in problem.successors(state)]
        if len(expected) > probe.branching:
            yield "actions", f"{state!r} has {len(expected)} successors, the branching is {probe.branching}"
            return
        found = probe.successors(packed)
        if [view.unpack(successor) for successor, _ in found] != expected:
            got = [view.unpack(successor) for successor, _ in found]
            yield "actions", f"the successors of {state!r} are {expected!r}, compiled {got!r}"
            return
        for (action, successor), (_, cost) in zip(problem.successors(state), found, strict=True):
            true = problem.cost(state, action, successor) if costs else 1
            if not _stands_for(cost, true):
                yield "costs", f"cost({state!r}, {action!r}, {successor!r}) is {true}, compiled {cost}"
            if view.whole and cost != int(cost):
                yield "whole numbers", f"an action out of {state!r} costs {cost}"
        yield from _heuristic_faults(problem, view, probe, state, packed, guided)
        yield from _one_way_faults(problem, view, state, expected)
        yield from _layout_faults(layout, view, state, packed)
        for successor in expected:
            if successor not in met:
                met[successor] = None
                found_so_far.append(successor)


def _heuristic_faults(
    problem: Any, view: Any, probe: Any, state: Any, packed: int, guided: bool
) -> Iterator[Fault]:
    if not guided:
        return
    if view.heuristic is None:
        yield "heuristic", "the problem has a heuristic, and the view has none"
        return
    h, true = probe.heuristic(packed), problem.heuristic(state)
    if not _stands_for(h, true) and not (isnan(h) and isnan(true)):
        yield "heuristic", f"heuristic({state!r}) is {true}, compiled {h}"
    if view.whole and h not in (float("inf"), h // 1):
        yield "whole numbers", f"the heuristic value of {state!r} is {h}"


def _one_way_faults(problem: Any, view: Any, state: Any, successors: list[Any]) -> Iterator[Fault]:
    for successor in successors if view.undirected else ():
        if all(back != state for _, back in problem.successors(successor)):
            yield "undirected", f"an action leads from {state!r} to {successor!r}, and no action leads back"


def _layout_faults(layout: ArrayLayout[Any] | None, view: Any, state: Any, packed: int) -> Iterator[Fault]:
    """Yield a state that is packed otherwise than the array of its distances is read."""
    if layout is None or layout.strides is None:
        return
    if isinstance(view.graph, Functions):
        yield "array layout", "array_layout() has strides, which are for a view that is a Stencil or a CSR"
        return
    index = layout.place(state)
    number = sum(at * stride for at, stride in zip(index, layout.strides, strict=True))
    if number != packed:
        yield (
            "array layout",
            f"{state!r} has the index {index!r}, which the strides make {number}, and is packed as {packed}",
        )
    last = sum((length - 1) * stride for length, stride in zip(layout.shape, layout.strides, strict=True))
    if last >= view.graph.size:
        yield (
            "array layout",
            f"the shape {layout.shape} and the strides {layout.strides} lead to the packed state {last}, and the view "
            f"has {view.graph.size} states",
        )


def _stands_for(number: float, true: Any) -> bool:
    """Whether a number of a view means that of the problem. Numbers that machine code refuses are all alike."""
    refused = isinstance(true, int) and true >= END_OF_EXACT and END_OF_EXACT <= number < inf
    return bool(number == true) or refused
