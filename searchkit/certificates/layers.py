"""Making the layers of a certificate again, by the definition of the problem alone."""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from attrs import frozen

from searchkit.certificates.certificate import Certificate, Layer
from searchkit.certificates.steps import ObjectionError, step_cost
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


def check_layers(problem: SearchProblem[Any, Any], certificate: Certificate, most: int = STATES) -> Rerun:
    """Make the layers of a certificate again, as far as they have at most `most` states together.

    Raises `ObjectionError` for a layer with other states than the certificate says or with a goal, for an action that
    does not cost 1, and for a bound that does not follow. Takes time linear in the number of actions of the states, and
    memory linear in their number.
    """
    check_claims(certificate)
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
    layers, bound = certificate.layers, certificate.lower_bound
    if certificate.forward.arrivals or certificate.backward is not None or certificate.heuristic:
        raise ObjectionError(
            "it has layers, and says that it is made from arrivals or by a heuristic as well"
        )
    if certificate.cost is not None and len(layers) > certificate.cost:
        raise ObjectionError(
            f"it has {len(layers)} layers without a goal, and a path of cost {certificate.cost}"
        )
    if bound not in (len(layers), inf) or (bound == inf and certificate.path):
        raise ObjectionError(
            f"that no path costs less than {bound} does not follow from {len(layers)} layers without a goal"
        )
    for depth, layer in enumerate(layers):
        if layer.states < 1:
            raise ObjectionError(f"layer {depth} has {layer.states} states")


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


def _said(layer: Layer) -> str:
    return f"{layer.states} states of digest {layer.digest:032x}"
