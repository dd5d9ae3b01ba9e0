"""Making the layers of a certificate again, by the definition of the problem alone."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf
from typing import Any

from attrs import frozen

from searchkit.certificates.certificate import Certificate, Layer
from searchkit.certificates.steps import (
    Forward,
    ObjectionError,
    Steps,
    heuristic_of,
    no_heuristic,
    step_cost,
)
from searchkit.problem import Cost, SearchProblem

STATES = 2_000_000
"""How many states of a certificate of layers are made again by default."""
WORD = (1 << 64) - 1
SEEDS = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
"""What the two halves of a digest begin with."""


def digest_of(numbers: Iterable[int], words: int) -> int:
    """Return 128 bits that tell sets of packed states apart, in whatever order they come.

    Each half is the sum, modulo 2⁶⁴, of a hash of each state: begin with a seed; for each word of the state, the lowest
    first, combine by exclusive or and mix by the finaliser of SplitMix64 (Steele, Lea and Flood 2014). The half of the
    first seed is the high one. Two sets that differ by accident have the same digest with probability 2⁻¹²⁸. No proof
    rests on that: the checker makes each layer again, and the digest tells where the first difference is.

    Args:
        numbers: the packed states, as `CompiledProblem.pack` returns them.
        words: the words of 64 bits that a state has.

    """
    high = low = 0
    for number in numbers:
        first, second = SEEDS
        for _ in range(words):
            word = number & WORD
            first, second = _mixed(first ^ word), _mixed(second ^ word)
            number >>= 64
        high += first
        low += second
    return (high & WORD) << 64 | low & WORD


def _mixed(key: int) -> int:
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & WORD
    key = (key ^ key >> 27) * 0x94D049BB133111EB & WORD
    return key ^ key >> 31


@frozen
class Rerun:
    """What was proved by making layers again."""

    bound: Cost
    """No path to a goal costs less."""
    layers: int
    """How many layers were made again …"""
    states: int
    """… and the number of their states."""
    by_view: bool = False
    """Whether the compiled view was used."""
    ruled_out: int = 0
    """How many steps out of the layers need the heuristic to be ruled out."""


def check_layers(problem: SearchProblem[Any, Any], certificate: Certificate, most: int = STATES) -> Rerun:
    """Make the layers of a certificate again, as far as they have at most `most` states together.

    Raises `ObjectionError` for a layer with other states than the certificate says or with a goal, for an action that
    does not cost 1 if the layers have no costs and a whole number ≥ 1 otherwise, and for a bound that does not follow.
    Takes time linear in the number of actions of the states, and memory linear in their number.
    """
    check_claims(certificate)
    if certificate.costs:
        return _Dijkstra(problem, certificate).run(most)
    layers, bound = certificate.layers, certificate.lower_bound
    made, states = 0, 0
    number_of, words = _numbers(problem)
    known: set[Any] = set()
    following = set(problem.initial_states())
    for depth, layer in enumerate(layers):
        if states + layer.states > most:
            return Rerun(depth, depth, states)
        present = following
        found = Layer(len(present), digest_of(map(number_of, present), words))
        if found != layer:
            raise refused_layer(depth, layer, found)
        goal = next(filter(problem.is_goal, present), None)
        if goal is not None:
            raise ObjectionError(f"layer {depth} has the goal {goal!r}")
        known |= present
        states += layer.states
        made += 1
        if made < len(layers):
            following = _successors(problem, present, known, layers[made].states, made)
        elif bound == inf:
            following = _successors(problem, present, known, 0, made)
    return Rerun(bound, made, states)


def check_claims(certificate: Certificate) -> None:
    """Check what a certificate with layers says without asking the problem. Raises `ObjectionError`."""
    layers, bound, costs = certificate.layers, certificate.lower_bound, certificate.costs
    if certificate.forward.arrivals or certificate.backward is not None:
        raise ObjectionError("it has layers, and says that it is made from arrivals as well")
    if certificate.heuristic and not costs:
        raise ObjectionError("it has layers without costs, and says that it is made by a heuristic")
    if certificate.cost is not None and (bound if costs else len(layers)) > certificate.cost:
        raise ObjectionError(
            f"it has {len(layers)} layers without a goal below the bound {bound}, and a path of cost {certificate.cost}"
        )
    follows = costs[-1] < bound if costs else bound in (len(layers), inf)
    if not follows or (bound == inf and certificate.path):
        raise ObjectionError(
            f"that no path costs less than {bound} does not follow from {len(layers)} layers without a goal"
        )
    for depth, layer in enumerate(layers):
        if layer.states < 1:
            raise ObjectionError(f"layer {depth} has {layer.states} states")
    if costs and not (
        len(costs) == len(layers)
        and all(type(cost) is int for cost in costs)
        and costs[0] == 0
        and all(before < cost for before, cost in pairwise(costs))
    ):
        raise ObjectionError(
            "the costs of its layers are not whole numbers that ascend from 0, one for each layer"
        )
    if costs == tuple(range(len(layers))) and not certificate.heuristic:
        raise ObjectionError("its layers have the costs 0, 1, 2 …, which are not written")


class _Dijkstra:
    """Dijkstra's algorithm over the states whose cost so far + heuristic is below the bound, one cost at a time.

    It never asks whether the heuristic is consistent: the states of the layers are those that steps between them reach.
    """

    def __init__(self, problem: SearchProblem[Any, Any], certificate: Certificate):
        self.steps: Steps = Forward(problem)
        self.certificate, self.bound = certificate, certificate.lower_bound
        self.heuristic = heuristic_of(problem) if certificate.heuristic else no_heuristic
        self.number_of, self.words = _numbers(problem)
        self.known: set[Any] = set()
        self.awaited: dict[Any, Cost] = {}
        """The states that were reached and are not `known`, with their cost so far."""
        self.buckets: dict[Cost, set[Any]] = {}
        """The same states by their cost."""
        self.border: Cost = inf
        self.ruled_out = 0

    def run(self, most: int) -> Rerun:
        """Make the layers that have at most `most` states together. Raises `ObjectionError`."""
        states = 0
        layers = list(zip(self.certificate.costs, self.certificate.layers, strict=True))
        for _, _, state, _ in self.steps.first():
            self._reach(state, 0, self.certificate.size)
        for made, (cost, layer) in enumerate(layers):
            if states + layer.states > most:
                rest = (g + self.heuristic(state) for state, g in self.awaited.items())
                return Rerun(min(self.border, *rest, inf), made, states, ruled_out=self.ruled_out)
            states += layer.states
            self._make(made, cost, layer, self.certificate.size - states)
        self._check_none_before(inf)
        if self.border != self.bound:
            raise refused_bound(self.bound, self.border)
        return Rerun(self.bound, len(layers), states, ruled_out=self.ruled_out)

    def _make(self, made: int, cost: int, layer: Layer, left: int) -> None:
        """Make a layer, and expand it; at most `left` more states may be reached."""
        self._check_none_before(cost)
        present = self.buckets.pop(cost, set())
        found = Layer(len(present), digest_of(map(self.number_of, present), self.words))
        if found != layer:
            raise refused_layer(made, layer, found)
        problem = self.steps.problem
        goal = next(filter(problem.is_goal, present), None)
        if goal is not None:
            raise ObjectionError(f"layer {made} has the goal {goal!r}")
        self.known |= present
        for state in present:
            del self.awaited[state]
        for state in present:
            for _, action, successor, step in self.steps.out_of(state):
                if step < 1 or step % 1:
                    raise ObjectionError(
                        f"it has layers, and {action!r} from {state!r} to {successor!r} costs {step}, which is not a "
                        "whole number ≥ 1"
                    )
                if successor not in self.known:
                    self._reach(successor, cost + step, left)

    def _check_none_before(self, cost: Cost) -> None:
        """Raise `ObjectionError` if a state of less cost is left."""
        for g in sorted(self.buckets):
            if g < cost and self.buckets[g]:
                raise left_out(g, len(self.buckets[g]))

    def _reach(self, state: Any, arrival: Cost, left: int) -> None:
        """Process a step into a state that is not known."""
        h = self.heuristic(state)
        if arrival + h >= self.bound:
            self.border = min(self.border, arrival + h)
            if arrival < self.bound:
                self.ruled_out += 1
                if self.steps.problem.is_goal(state):
                    raise ObjectionError(f"heuristic({state!r}) is {h}, and it is a goal")
            return
        before = self.awaited.get(state, inf)
        if arrival < before:
            if before < inf:
                self.buckets[before].discard(state)
            self.awaited[state] = arrival
            self.buckets.setdefault(arrival, set()).add(state)
            if len(self.awaited) > left:  # so that memory stays linear in the certificate, whatever it says
                raise ObjectionError(
                    f"it says that {left} states are left, and the problem gives at least {left + 1}"
                )


def _successors(
    problem: SearchProblem[Any, Any], states: set[Any], known: set[Any], most: int, depth: int
) -> set[Any]:
    """Return the successors of states that are not known. Raises `ObjectionError` if there are more than `most`."""
    following: set[Any] = set()
    costly = hasattr(problem, "cost")  # an optional member
    for state in states:
        for action, successor in problem.successors(state):
            if costly and (cost := step_cost(problem, state, action, successor)) != 1:
                raise ObjectionError(
                    f"it counts steps, and {action!r} from {state!r} to {successor!r} costs {cost}"
                )
            if successor not in known:
                following.add(successor)
        if len(following) > most:
            claimed = (
                f"layer {depth} has {most} states" if most else f"no state is left after layer {depth - 1}"
            )
            raise ObjectionError(f"it says that {claimed}, and the problem gives at least {len(following)}")
    return following


def _numbers(problem: Any) -> tuple[Callable[[Any], int], int]:
    """Return what gives the packed number of a state, and the words that such a number has."""
    if not hasattr(problem, "compiled"):  # an optional member
        raise ObjectionError(
            "it has digests of packed states, and the problem has no compiled view that packs them"
        )
    view = problem.compiled()
    return view.pack, view.words


def refused_layer(depth: int, layer: Layer, found: Layer) -> ObjectionError:
    """Return the objection to a layer that the problem gives another one for."""
    return ObjectionError(f"layer {depth} has {_said(layer)}, and the problem gives {_said(found)}")


def too_many(depth: int, most: int, found: int) -> ObjectionError:
    """Return the objection to a layer for which the problem gives more states, or to its absence if `most` is 0."""
    claimed = f"layer {depth} has {most} states" if most else f"no state is left after layer {depth - 1}"
    return ObjectionError(f"it says that {claimed}, and the problem gives at least {found}")


def left_out(cost: Cost, found: int) -> ObjectionError:
    """Return the objection to layers without one that the problem gives."""
    return ObjectionError(f"it has no layer of cost {cost}, and the problem gives {found} states of it")


def refused_bound(bound: Cost, found: Cost) -> ObjectionError:
    """Return the objection to a bound from which the least cost of a step out of the layers differs."""
    return ObjectionError(
        f"that no path costs less than {bound} does not follow from its layers, which prove {found}"
    )


def _said(layer: Layer) -> str:
    return f"{layer.states} states of digest {layer.digest:032x}"
