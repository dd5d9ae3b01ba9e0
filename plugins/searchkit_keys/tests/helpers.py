"""Helpers for several tests of vaults: an oracle that is independent of the plugin, and the shipped vaults."""

import json
from collections import deque
from pathlib import Path
from typing import Any

from searchkit import Result, SearchProblem, solve
from searchkit_keys.files import read_vault
from searchkit_keys.spec import VAULTS
from searchkit_keys.vault import Vault

MANIFEST = json.loads((VAULTS / "manifest.json").read_text(encoding="utf-8"))
ANSWERS = {name: entry["answer"] for name, entry in MANIFEST.items()}


def shipped(name: str) -> Vault:
    """Return a vault that ships with the plugin."""
    return read_vault(name, Path(VAULTS / name).read_text(encoding="utf-8"))


def shortcuts(doors: int) -> Vault:
    """Return a corridor to key z with that many shortcuts in turn, each through a door with its own letter."""
    letters = "abcdefghijklmnopqrst"[:doors]
    middle = "".join(f".{letter.upper()}.." for letter in letters)
    rows = ("@" + middle + "z", "#" + ".#.#" * doors + "#", "#" + "...#" * doors + "#")
    keys = letters.ljust(len(middle) + 2, "#")
    return Vault.of((*rows, "#" * len(keys), keys, "@" * len(keys)))


def brute_force(vault: Vault) -> int | None:
    """Return the least number of steps by breadth-first search over robots' cells and keys; None without a plan.

    States keep the robots in order here, and the characters are read one by one.
    """
    rows = vault.rows
    keys = frozenset(mark for row in rows for mark in row if mark.islower())
    starts = tuple((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "@")
    seen = {(starts, frozenset[str]())}
    queue = deque([(starts, frozenset[str](), 0)])
    while queue:
        robots, held, steps = queue.popleft()
        if held == keys:
            return steps
        for number, (x, y) in enumerate(robots):
            for nx, ny in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if not (0 <= ny < len(rows) and 0 <= nx < len(rows[0])):
                    continue
                mark = rows[ny][nx]
                if mark == "#" or (mark.isupper() and mark.lower() not in held):
                    continue
                after = (
                    (*robots[:number], (nx, ny), *robots[number + 1 :]),
                    held | {mark} if mark.islower() else held,
                )
                if after not in seen:
                    seen.add(after)
                    queue.append((*after, steps + 1))
    return None


def solved(problem: SearchProblem[Any, Any], engine: str = "auto") -> Result[Any, Any]:
    """Solve either problem of a vault; they have different states."""
    return solve(problem, engine, backend="python")


def walk(vault: Vault, states: tuple[tuple[tuple[tuple[int, int], ...], int], ...]) -> int:
    """Repeat a path of the expanded problem on the characters; return its steps. Fails if a step is not allowed."""
    robots, held = list(states[0][0]), 0
    assert sorted(robots) == sorted(vault.starts)
    assert states[0][1] == 0
    for cells, keys in states[1:]:
        left = list(robots)
        entered = list(cells)
        for cell in robots:
            if cell in entered:
                left.remove(cell)
                entered.remove(cell)
        assert len(left) == len(entered) == 1
        (x, y), (nx, ny) = left[0], entered[0]
        assert abs(x - nx) + abs(y - ny) == 1
        mark = vault.rows[ny][nx]
        assert mark != "#"
        assert not mark.isupper() or held >> (ord(mark) - ord("A")) & 1
        if mark.islower():
            held |= 1 << (ord(mark) - ord("a"))
        assert held == keys
        robots = list(cells)
    assert held == vault.all_keys
    return len(states) - 1
