"""Attacks: code of a student, run in its process, and the message for the student."""

from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest

from searchkit_coursework.sandbox.endings import Failure, RunLimits
from searchkit_coursework.sandbox.jobs import Outcome

Run = Callable[..., Outcome]
ROOT = Path(__file__).parents[3]
LIMITS = RunLimits(seconds=5, memory=256)


def find(code: str) -> str:
    """Return a search with this body."""
    return "def find(problem):\n" + indent(code, "    ") + "\n"


def reason(outcome: Outcome) -> str:
    """Return the message for the student about the one map."""
    answer = outcome.answers[0] if outcome.answers else outcome.failure
    return answer.reason(LIMITS) if isinstance(answer, Failure) else str(answer)


def needs(outcome: Outcome, *protections: str) -> None:
    """Skip a test where the system does not offer a protection."""
    for protection in protections:
        if protection not in outcome.protections:
            pytest.skip(f"this system does not protect {protection}")
