"""The promise "drawing": a plugin's places are held to what they say, in every state, by `check_problem`."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import evolve

from searchkit.plugin import Drawing, Mark, Places, Route
from searchkit.plugin.registry import registry, use_registry
from searchkit.testing.problems import examine
from tests.mutants.ladders import Ladder, kind

MARKS = {key: Mark(key, "#ffffff", key) for key in ".*r"}
GROUND = Drawing(["." * 6], MARKS)


@contextmanager
def installed(members: Mapping[str, Any]) -> Iterator[None]:
    """Register ladders with these places."""
    spec = evolve(kind("ladder", Ladder), places=lambda problem: Places(**members))
    found = registry()
    with use_registry(evolve(found, problems={**found.problems, "ladder": spec})):
        yield


def finding(**members: Any) -> Any:
    """Return what the check of a ladder with these places finds."""
    sound: dict[str, Any] = {"ground": GROUND, "cells": lambda rung: [(rung, 0)], "path": {".": "*"}}
    with installed(sound | members):
        findings, _ = examine(Ladder(5), 100)
    return findings["drawing"]


def test_sound_places() -> None:
    """With everything that places can have."""
    assert finding().outcome == "holds"
    assert (
        finding(
            label=lambda rung: f"rung {rung}",
            changes=lambda rung: {(rung, 0): "r"},
            routes=lambda path: [Route([(rung, 0) for rung in path], {".": "*"}), Route([(5, 0)], {})],
            position=lambda rung: (0, rung),
            expanded={".": "*"},
        ).outcome
        == "holds"
    )
    assert (
        finding(ground=None, cells=lambda rung: (), path={}, position=lambda rung: (0, rung)).outcome
        == "holds"
    )


FAULTY: dict[str, tuple[dict[str, Any], str]] = {
    "outside": ({"cells": lambda rung: [(rung + 1, 0)]}, r"cells\(5\).*\(6, 0\) is outside the ground"),
    "a change without a mark": ({"changes": lambda rung: {(0, 0): "?"}}, r"without a mark.*\?"),
    "no number": ({"position": lambda rung: (0, float("inf"))}, "is not a position"),
    "a ground that is none": ({"ground": "....."}, "the ground is a Drawing or None"),
    "a key without a mark": ({"path": {".": "?"}}, "path has keys without a mark"),
}


@pytest.mark.parametrize(("members", "message"), FAULTY.values(), ids=FAULTY)
def test_faulty_places(members: dict[str, Any], message: str) -> None:
    """Each is a breach that says what is wrong, and with which state."""
    found = finding(**members)
    assert found.outcome == "fails"
    assert re.search(message, found.detail)
