"""Ties are broken as documented, and in the same way in every process."""

import json
import os
import subprocess
import sys

import pytest

from searchkit import Search, available_engines, problem_from, solve
from searchkit.errors import InvalidOptionError

# Four states with f = 10 each, reached in the order a, b, c, d.
G = {"a": 2, "b": 6, "c": 4, "d": 6}
FAN = problem_from(
    ["s"],
    lambda state: [(name, name) for name in G] if state == "s" else [],
    lambda state: False,
    cost=lambda state, action, name: G[name],
    heuristic=lambda state: 10 - G.get(state, 0),
)
ORDERS = {
    "high-g": "dbca",  # larger g first, then last in
    "low-h": "dbca",  # smaller h first, then last in: the same where f = g + h
    "lifo": "dcba",
    "fifo": "abcd",
}


@pytest.mark.parametrize("engine", ["astar", "bucket"])
@pytest.mark.parametrize(("ties", "order"), ORDERS.items())
def test_orders_of_equal_f(engine: str, ties: str, order: str) -> None:
    """States of equal f are expanded in the order that the policy says."""
    assert "".join(Search(FAN, engine, ties=ties)) == "s" + order


def test_orders_that_differ_between_high_g_and_low_h() -> None:
    """Greedy ranks by h alone: high-g distinguishes states of equal h, low-h leaves them last in first out."""
    flat = problem_from(["s"], FAN.successors, lambda state: False, cost=FAN.cost, heuristic=lambda state: 1)
    orders = {"high-g": "dbca", "low-h": "dcba", "lifo": "dcba", "fifo": "abcd"}
    assert {ties: "".join(Search(flat, "greedy", ties=ties))[1:] for ties in orders} == orders


def test_starts_take_part_in_the_order() -> None:
    """Several starts are ordered like states that are reached one after the other."""
    problem = problem_from(list("abc"), lambda state: [], lambda state: False, heuristic=lambda state: 0)
    for engine in ("astar", "bucket", "dijkstra", "greedy"):
        assert "".join(Search(problem, engine, ties="fifo")) == "abc"
        assert "".join(Search(problem, engine, ties="lifo")) == "cba"


def test_best_first_engines_have_the_option_and_its_documented_default() -> None:
    """The default that documentation shows is the one that the engine runs with."""
    with_ties = {
        spec.name: option
        for spec in available_engines().values()
        for option in spec.options
        if option.name == "ties"
    }
    assert with_ties.keys() >= {"dijkstra", "astar", "bucket", "greedy", "wastar"}
    for name, option in with_ties.items():
        assert list(Search(FAN, name)) == list(Search(FAN, name, ties=option.default))
    with pytest.raises(InvalidOptionError, match="ties=best: expected one of high-g, lifo, fifo, low-h"):
        solve(FAN, "astar", ties="best")


SCRIPT = """
import json
from searchkit import Search, available_engines, problem_from
words = ["".join(w) for w in __import__("itertools").product("xyz", repeat=3)]
problem = problem_from(["xxx", "yyy"],
    lambda w: [(c, w[1:] + c) for c in "xyz"] if w in words else [], lambda w: w == "zyx",
    cost=lambda w, c, v: 1, heuristic=lambda w: 0)
names = [spec.name for spec in available_engines().values() if not spec.requires]
print(json.dumps({name: list(Search(problem, name)) for name in names}))
"""


def test_the_hash_seed_changes_nothing() -> None:
    """Strings have other hashes in every process; the order of expansion does not depend on them."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "12345")
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert all(json.loads(outputs[0]).values())
