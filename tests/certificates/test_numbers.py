"""Costs and heuristic values of numpy: read as numbers of Python, so that no sum wraps around or loses digits."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from searchkit import Certificate, certify, problem_from, solve

np = pytest.importorskip("numpy")


def line(cost: Callable[[int], Any], length: int = 3, **members: Any) -> Any:
    """Return a line of steps, of which the one into x costs cost(x)."""
    return problem_from(
        [0],
        lambda x: [("E", x + 1)] if x < length else [],
        lambda x: x == length,
        cost=lambda x, a, y: cost(y),
        **members,
    )


def proof_of(problem: Any) -> Certificate:
    """Return the certificate of Dijkstra's algorithm."""
    certificate = solve(problem, "dijkstra", certificate=True).certificate
    assert certificate is not None
    return certificate


def test_three_costs_of_one_byte_do_not_wrap() -> None:
    """Three uint8 costs of 100 are 300, and no certificate proves 44."""
    row = np.full(4, 100, np.uint8)
    problem = line(row.__getitem__)
    proof = proof_of(line(lambda x: 100))
    assert certify(problem, proof).proved == (
        "a path from a start to a goal costs 300",
        "no path costs less than 300",
    )
    wrapped = proof_of(line({1: 100, 2: 100, 3: -156 % 256 - 56}.__getitem__))
    assert not certify(problem, wrapped)


def test_a_heuristic_of_one_byte_does_not_wrap() -> None:
    """A cost so far of 100 and a uint8 heuristic value of 200 are 300."""
    guided = {"heuristic": lambda x: 0 if x == 3 else 200}
    proof = solve(line(lambda x: 100, **guided), "astar", certificate=True).certificate
    narrow = line(lambda x: np.uint8(100), heuristic=lambda x: np.uint8(guided["heuristic"](x)))
    assert proof is not None
    assert certify(narrow, proof)


def test_a_detour_that_would_be_cheaper_if_bytes_wrapped() -> None:
    """Directly 250, by way of 1 400, which is 144 in one byte."""
    costs = {("a", 1): 200, ("b", 2): 250, ("c", 2): 200}
    steps = {0: [("a", 1), ("b", 2)], 1: [("c", 2)], 2: []}

    def problem(kind: Any) -> Any:
        return problem_from([0], steps.__getitem__, lambda s: s == 2, cost=lambda s, a, t: kind(costs[a, t]))

    proof = proof_of(problem(int))
    assert proof.cost == 250
    assert certify(problem(np.uint8), proof)
    assert not certify(problem(np.uint8), evolve(proof, cost=144, lower_bound=144, path=(0, 0, 0)))


def test_float32_is_added_in_double_precision() -> None:
    """The sum of many tenths of single precision, as doubles."""
    row = np.full(2001, 0.1, np.float32)
    proof = proof_of(line(lambda x: float(row[x]), length=2000))
    assert certify(line(row.__getitem__, length=2000), proof)


def test_an_array_is_no_cost() -> None:
    """It is refused by name."""
    objection = certify(line(lambda x: np.array([1])), proof_of(line(lambda x: 1))).objection
    assert "cost(0, 'E', 1) is array([1]), not a finite number" in objection


def test_costs_of_other_types_are_the_same_costs() -> None:
    """Booleans, numpy's integers and floats, arrays without dimensions."""
    proof = proof_of(line(lambda x: 1))
    for kind in (bool, np.int8, np.uint64, np.float16, np.array):
        assert certify(line(lambda x, kind=kind: kind(1)), proof)  # type: ignore[misc]  # a default of any type
