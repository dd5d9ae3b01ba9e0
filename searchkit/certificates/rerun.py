"""Making the layers of a certificate again as machine code, by the compiled view of the problem.

This shares no code with what searches on disk: states are in plain sorted arrays, and each layer is compared with all
earlier ones. It assumes that the view is right, of which it tests some states of each layer.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit.certificates.certificate import Certificate, Layer
from searchkit.certificates.layers import Rerun, check_claims, refused_layer, too_many
from searchkit.certificates.steps import ObjectionError
from searchkit.compiled.functions import kernel
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.errors import MissingCapabilityError
from searchkit.problem import SearchProblem

STATES = 50_000_000
"""How many states are made again by default."""
CHUNK = 1 << 20
"""The successors that are generated before their duplicates are removed."""
FAR = 32
"""If an array is so many times longer than another, its states are looked up by bisection."""
TESTED = 8
"""In how many states of each layer the view is compared with the problem."""
SEEDS = np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], np.uint64)


@kernel
def _expand_some(expand: Any, table: Any, states: Any, first: Any, out: Any, costs: Any) -> Any:
    """Expand states from the place `first` on while there is room.

    Return the number of successors, the next place, and the place of a state with an action that does not cost 1,
    or −1.
    """
    count, place, end = np.uint64(0), np.uint64(first), np.uint64(states.size)
    dear = np.int64(-1)
    while place < end and count + np.uint64(costs.size) <= np.uint64(out.size):
        found = np.uint64(expand(table, states[place], out[count : count + np.uint64(costs.size)], costs))
        for number in range(found):
            if costs[number] != 1.0:
                dear = np.int64(place)
        count += found
        place += np.uint64(1)
    return count, place, dear


@kernel
def _goal_among(is_goal: Any, table: Any, states: Any) -> Any:
    """Return the place of the first goal, or −1."""
    for place in range(np.uint64(states.size)):
        if is_goal(table, states[place]):
            return np.int64(place)
    return np.int64(-1)


@kernel
def _keep_others(states: Any, others: Any) -> Any:
    """Move the states of a sorted array that another does not hold to its beginning; return their number."""
    count, place, size = np.uint64(0), np.uint64(0), np.uint64(others.size)
    for read in range(np.uint64(states.size)):
        state = states[read]
        while place < size and others[place] < state:
            place += np.uint64(1)
        if place == size or others[place] != state:
            states[count] = state
            count += np.uint64(1)
    return count


@kernel
def _half_of(states: Any, seed: Any) -> Any:
    """Return one half of the digest that `searchkit.certificates.layers.digest_of` defines."""
    total = np.uint64(0)
    for place in range(np.uint64(states.size)):
        key = states[place] ^ seed
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        total += key ^ (key >> np.uint64(31))
    return total


def check_by_view(problem: SearchProblem[Any, Any], certificate: Certificate, most: int) -> Rerun:
    """Make the layers of a certificate again, as `check_layers` does, by the compiled view.

    Raises `ObjectionError` for the same reasons, or if a state that is tested has other successors in the view than in
    the problem. Takes 8 bytes a state, and about 8 bytes for each successor of the largest layer.

    Raises:
        MissingCapabilityError: the problem has no compiled view that is given by functions over states of one word.

    """
    view, graph = _view_of(problem)
    check_claims(certificate)
    layers, bound = certificate.layers, certificate.lower_bound
    table = np.zeros(1, np.int64) if view.table is None else np.ascontiguousarray(view.table, np.int64)
    table.flags.writeable = False
    known: list[Any] = []
    following = _different(np.array([view.pack(state) for state in problem.initial_states()], np.uint64))
    states = 0
    for depth, layer in enumerate(layers):
        if states + layer.states > most:
            return Rerun(depth, depth, states, by_view=True)
        present = following
        halves = [int(_half_of(present, seed)) for seed in SEEDS]
        found = Layer(len(present), halves[0] << 64 | halves[1])
        if found != layer:
            raise refused_layer(depth, layer, found)
        goal = int(_goal_among(graph.is_goal, table, present))
        if goal >= 0:
            raise ObjectionError(f"layer {depth} has the goal {view.unpack(int(present[goal]))!r}")
        _test(problem, view, table, present)
        known.append(present)
        while len(known) > 1 and len(known[-2]) < 2 * len(known[-1]):
            last = known.pop()
            known[-1] = np.sort(np.concatenate([known[-1], last]), kind="stable")
        states += layer.states
        if depth + 1 < len(layers) or bound == inf:
            room = layers[depth + 1].states if depth + 1 < len(layers) else 0
            following = _new_states(view, table, present, known)
            if len(following) > room:
                raise too_many(depth + 1, room, len(following))
    return Rerun(bound, len(layers), states, by_view=True)


def _view_of(problem: Any) -> tuple[CompiledProblem, Functions]:
    view = problem.compiled() if hasattr(problem, "compiled") else None  # an optional member
    if view is None or not isinstance(view.graph, Functions) or view.words != 1:
        raise MissingCapabilityError(
            "backend='compiled' makes layers again for compiled views that are given by functions over states of one "
            "word; use backend='python'"
        )
    return view, view.graph


def _new_states(view: CompiledProblem, table: Any, states: Any, known: list[Any]) -> Any:
    """Return the successors of states that are in none of some sorted arrays; sorted."""
    pieces = [_different(successors) for successors in _successors(view, table, states)]
    found = _different(np.concatenate(pieces)) if pieces else np.empty(0, np.uint64)
    for others in known:
        if len(others) > FAR * len(found):
            places = np.searchsorted(others, found)
            places[places == len(others)] = 0
            found = found[others[places] != found]
        else:
            found = found[: int(_keep_others(found, others))]
    return found.copy()  # without the memory of what was left out


def _different(states: Any) -> Any:
    """Sort an array in place; return a sorted array of its different states."""
    states.sort()
    return states[np.concatenate([np.ones(1, bool), states[1:] != states[:-1]])] if len(states) else states


def _successors(view: CompiledProblem, table: Any, states: Any) -> Iterator[Any]:
    """Yield the successors of states in arrays. Raises `ObjectionError` for an action that does not cost 1."""
    graph = view.graph
    assert isinstance(graph, Functions)  # `_view_of` has checked it
    branching = max(1, graph.branching)
    place, costs = 0, np.empty(branching, np.float64)
    while place < len(states):
        out = np.empty(max(CHUNK, branching), np.uint64)
        count, place, dear = map(int, _expand_some(graph.expand, table, states, place, out, costs))
        if dear >= 0:
            state = view.unpack(int(states[dear]))
            raise ObjectionError(f"it counts steps, and an action from {state!r} does not cost 1")
        yield out[:count]


def _test(problem: SearchProblem[Any, Any], view: CompiledProblem, table: Any, states: Any) -> None:
    """Raise `ObjectionError` if the view gives a state of a few other successors than the problem, or hides a goal."""
    for place in np.unique(np.linspace(0, len(states) - 1, TESTED).astype(np.int64)):
        packed = states[place : place + 1]
        state = view.unpack(int(packed[0]))
        expected = [view.pack(successor) for _, successor in problem.successors(state)]
        found = [int(successor) for piece in _successors(view, table, packed) for successor in piece]
        if found != expected or problem.is_goal(state):
            raise ObjectionError(
                f"the compiled view gives {state!r} {len(found)} successors and calls it no goal; the problem disagrees"
            )
