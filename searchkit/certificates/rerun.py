"""Making the layers of a certificate again as machine code, by the compiled view of the problem.

This shares no code with what searches on disk: states are in plain sorted arrays, and each layer is compared with all
earlier ones. It assumes that the view is right, of which it tests some states of each layer.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from searchkit.certificates.certificate import Certificate, Layer
from searchkit.certificates.layers import (
    Rerun,
    check_claims,
    left_out,
    refused_bound,
    refused_layer,
    too_many,
)
from searchkit.certificates.steps import ObjectionError, heuristic_of, step_cost
from searchkit.compiled.functions import kernel
from searchkit.compiled.view import CompiledProblem, Functions, GridDistance
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
EXACT = 1 << 53
"""64-bit floats hold all whole numbers up to this one."""
SEEDS = np.array([0x9E3779B97F4A7C15, 0xD1B54A32D192ED03], np.uint64)


@kernel
def _expand_some(
    expand: Any, table: Any, states: Any, first: Any, branching: Any, out: Any, costs: Any
) -> Any:
    """Expand states from the place `first` on while there is room; write successors and the costs of the actions.

    Return the number of successors, and the next place.
    """
    count, place, end = np.uint64(0), np.uint64(first), np.uint64(states.size)
    most = np.uint64(branching)
    while place < end and count + most <= np.uint64(out.size):
        room = out[count : count + most]
        count += np.uint64(expand(table, states[place], room, costs[count : count + most]))
        place += np.uint64(1)
    return count, place


@kernel
def _values_of(heuristic: Any, table: Any, states: Any, values: Any) -> None:
    for place in range(np.uint64(states.size)):
        values[place] = heuristic(table, states[place])


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
    the problem. Takes 8 bytes a state, and about 8 bytes for each successor of the largest layer; if layers have costs,
    for each successor of a state whose layer has not come yet.

    Raises:
        MissingCapabilityError: the problem has no compiled view that is given by functions over states of one word.

    """
    view, graph = _view_of(problem, certificate)
    check_claims(certificate)
    table = np.zeros(1, np.int64) if view.table is None else np.ascontiguousarray(view.table, np.int64)
    table.flags.writeable = False
    if certificate.costs:
        return _ByCosts(problem, certificate, view, table).run(most)
    layers, bound = certificate.layers, certificate.lower_bound
    known: list[Any] = []
    following = _different(np.array([view.pack(state) for state in problem.initial_states()], np.uint64))
    states = 0
    for depth, layer in enumerate(layers):
        if states + layer.states > most:
            return Rerun(depth, depth, states, by_view=True)
        present = following
        _check_layer(graph, view, table, depth, layer, present)
        _test(problem, view, table, present)
        _add(known, present)
        states += layer.states
        if depth + 1 < len(layers) or bound == inf:
            room = layers[depth + 1].states if depth + 1 < len(layers) else 0
            following = _new_states(view, table, present, known)
            if len(following) > room:
                raise too_many(depth + 1, room, len(following))
    return Rerun(bound, len(layers), states, by_view=True)


class _ByCosts:
    """Dijkstra's algorithm over sorted arrays, one cost at a time, below the bound: as `check_layers` does it."""

    def __init__(
        self, problem: SearchProblem[Any, Any], certificate: Certificate, view: CompiledProblem, table: Any
    ):
        self.problem, self.certificate, self.view, self.table = problem, certificate, view, table
        self.guided = certificate.heuristic
        self.known: list[Any] = []
        self.waiting: dict[float, list[Any]] = {}
        """Cost so far → arrays of states, of which some may be known when the turn of the cost comes."""
        self.border, self.ruled_out = inf, 0

    def run(self, most: int) -> Rerun:
        """Make the layers that have at most `most` states together. Raises `ObjectionError`."""
        certificate, graph = self.certificate, self.view.graph
        assert isinstance(graph, Functions)  # `_view_of` has checked it
        starts = np.array([self.view.pack(state) for state in self.problem.initial_states()], np.uint64)
        self._reach(starts, np.zeros(len(starts)))
        states = 0
        for made, (cost, layer) in enumerate(zip(certificate.costs, certificate.layers, strict=True)):
            present = self._present(cost)
            if states + layer.states > most:
                self.waiting[cost] = [present]
                return self._rerun(self._least(), made, states)
            _check_layer(graph, self.view, self.table, made, layer, present)
            _test(self.problem, self.view, self.table, present, self.guided)
            states += layer.states
            _add(self.known, present)
            for successors, costs in _steps(self.view, self.table, present):
                dear = np.flatnonzero(~((costs >= 1) & (costs == np.floor(costs))))
                if len(dear):
                    raise _refused_cost("has layers", self.view, successors, costs, dear[0])
                self._reach(successors, costs + cost)
        self._present(inf)
        if self.border != certificate.lower_bound:
            raise refused_bound(certificate.lower_bound, self.border)
        return self._rerun(self.border, len(certificate.layers), states)

    def _rerun(self, bound: float, made: int, states: int) -> Rerun:
        exact = inf if bound == inf else int(bound)
        return Rerun(exact, made, states, by_view=True, ruled_out=self.ruled_out)

    def _reach(self, states: Any, arrivals: Any) -> None:
        """Let states wait for their costs; count and drop those beyond the bound."""
        bound = float(self.certificate.lower_bound)
        f = arrivals + self._values(states)
        beyond = f >= bound
        some = np.flatnonzero(beyond)
        if len(some):
            some = some[~self._are_known(states[some])]
            self.border = float(min([self.border, *f[some]])) if len(some) else self.border
            some = some[arrivals[some] < bound]
            self.ruled_out += len(some)
            goal = _goal_among(self.view.graph.is_goal, self.table, states[some])  # type: ignore[union-attr]  # Functions
            if goal >= 0:
                state = self.view.unpack(int(states[some[goal]]))
                raise ObjectionError(f"the heuristic is not 0 at {state!r}, and it is a goal")
            states, arrivals = states[~beyond], arrivals[~beyond]
        for cost in np.unique(arrivals).tolist():
            self.waiting.setdefault(cost, []).append(_different(states[arrivals == cost]))

    def _present(self, cost: float) -> Any:
        """Return the states of a cost. Raises `ObjectionError` if a state of less cost is left."""
        for earlier in sorted(g for g in self.waiting if g <= cost):
            states = _different(np.concatenate(self.waiting.pop(earlier)))
            states = _without(states, self.known)
            if earlier == cost:
                return states
            if len(states):
                raise left_out(int(earlier), len(states))
        return np.empty(0, np.uint64)

    def _least(self) -> float:
        """Return the least f of the steps out of the layers so far."""
        waiting = ((g, array) for g, arrays in self.waiting.items() for array in arrays if len(array))
        return float(min([self.border, *(g + self._values(array).min() for g, array in waiting)]))

    def _values(self, states: Any) -> Any:
        """Return the heuristic values of states. Raises `ObjectionError` if one is not a number ≥ 0."""
        values = np.zeros(len(states))
        if self.guided:
            _evaluate(self.view, self.table, states, values)
        return values

    def _are_known(self, states: Any) -> Any:
        found = np.zeros(len(states), bool)
        for others in self.known:
            places = np.searchsorted(others, states)
            places[places == len(others)] = 0
            found |= others[places] == states
        return found


def _evaluate(view: CompiledProblem, table: Any, states: Any, values: Any) -> None:
    for begin in range(0, len(states), CHUNK):
        _values_of(view.heuristic, table, states[begin : begin + CHUNK], values[begin : begin + CHUNK])
    if not (values >= 0).all():
        state = view.unpack(int(states[np.flatnonzero(~(values >= 0))[0]]))
        raise ObjectionError(f"the compiled view gives {state!r} a heuristic value that is not a number ≥ 0")


def _view_of(problem: Any, certificate: Certificate) -> tuple[CompiledProblem, Functions]:
    view = problem.compiled() if hasattr(problem, "compiled") else None  # an optional member
    if view is None or not isinstance(view.graph, Functions) or view.words != 1:
        raise MissingCapabilityError(
            "backend='compiled' makes layers again for compiled views that are given by functions over states of one "
            "word; use backend='python'"
        )
    if certificate.heuristic and (view.heuristic is None or isinstance(view.heuristic, GridDistance)):
        raise MissingCapabilityError(
            "backend='compiled' makes layers again by a heuristic that is a function of the compiled view; use "
            "backend='python'"
        )
    if max(certificate.costs, default=0) >= EXACT or EXACT < certificate.lower_bound < inf:
        raise MissingCapabilityError(
            "backend='compiled' calculates with costs below 2⁵³; use backend='python'"
        )
    return view, view.graph


def _check_layer(
    graph: Functions, view: CompiledProblem, table: Any, made: int, layer: Layer, present: Any
) -> None:
    """Raise `ObjectionError` if a layer is not as the certificate says, or has a goal."""
    halves = [int(_half_of(present, seed)) for seed in SEEDS]
    found = Layer(len(present), halves[0] << 64 | halves[1])
    if found != layer:
        raise refused_layer(made, layer, found)
    goal = int(_goal_among(graph.is_goal, table, present))
    if goal >= 0:
        raise ObjectionError(f"layer {made} has the goal {view.unpack(int(present[goal]))!r}")


def _add(known: list[Any], present: Any) -> None:
    """Add a sorted array to others, each of which is at most half as long as the one before."""
    known.append(present)
    while len(known) > 1 and len(known[-2]) < 2 * len(known[-1]):
        last = known.pop()
        known[-1] = np.sort(np.concatenate([known[-1], last]), kind="stable")


def _new_states(view: CompiledProblem, table: Any, states: Any, known: list[Any]) -> Any:
    """Return the successors of states that are in none of some sorted arrays; sorted."""
    pieces = []
    for successors, costs in _steps(view, table, states):
        if (costs != 1).any():
            raise _refused_cost("counts steps", view, successors, costs, np.flatnonzero(costs != 1)[0])
        pieces.append(_different(successors))
    return _without(_different(np.concatenate(pieces)) if pieces else np.empty(0, np.uint64), known)


def _without(states: Any, known: list[Any]) -> Any:
    """Return the states of a sorted array that are in none of some sorted arrays."""
    for others in known:
        if len(others) > FAR * len(states):
            places = np.searchsorted(others, states)
            places[places == len(others)] = 0
            states = states[others[places] != states]
        else:
            states = states[: int(_keep_others(states, others))]
    return states.copy()  # without the memory of what was left out


def _different(states: Any) -> Any:
    """Sort an array in place; return a sorted array of its different states."""
    states.sort()
    return states[np.concatenate([np.ones(1, bool), states[1:] != states[:-1]])] if len(states) else states


def _steps(view: CompiledProblem, table: Any, states: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the successors of states in arrays, and the costs of the actions that lead to them."""
    graph = view.graph
    assert isinstance(graph, Functions)  # `_view_of` has checked it
    branching, place = max(1, graph.branching), 0
    while place < len(states):
        out = np.empty(max(CHUNK, branching), np.uint64)
        costs = np.empty(len(out), np.float64)
        count, place = map(int, _expand_some(graph.expand, table, states, place, branching, out, costs))
        yield out[:count], costs[:count]


def _refused_cost(
    what: str, view: CompiledProblem, successors: Any, costs: Any, place: int
) -> ObjectionError:
    state, cost = view.unpack(int(successors[place])), float(costs[place])
    expected = "1" if what == "counts steps" else "a whole number ≥ 1"
    return ObjectionError(f"it {what}, and an action to {state!r} costs {cost:g}; expected {expected}")


def _test(
    problem: SearchProblem[Any, Any], view: CompiledProblem, table: Any, states: Any, guided: bool = False
) -> None:
    """Raise `ObjectionError` if the view gives a few states others than the problem: successors, costs, no goal, h."""
    for place in np.unique(np.linspace(0, len(states) - 1, TESTED).astype(np.int64)):
        packed = states[place : place + 1]
        state = view.unpack(int(packed[0]))
        steps = [
            (after, step_cost(problem, state, action, after)) for action, after in problem.successors(state)
        ]
        expected = [(view.pack(after), float(cost)) for after, cost in steps]
        found = [
            pair
            for piece in _steps(view, table, packed)
            for pair in zip(*map(np.ndarray.tolist, piece), strict=True)
        ]
        if found != expected or problem.is_goal(state):
            raise ObjectionError(
                f"the compiled view gives {state!r} {len(found)} successors and calls it no goal; the problem disagrees"
            )
        values = np.zeros(1)
        if guided:
            _evaluate(view, table, packed, values)
            h = heuristic_of(problem)(state)
            if values[0] != h:
                raise ObjectionError(
                    f"the compiled view gives {state!r} the heuristic value {values[0]:g}, and the problem {h}"
                )
