"""Saved runs with one thing wrong, for tests that they are rejected. Kernels are run by Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from searchkit.errors import InputFormatError

Saved = dict[str, Any]
Change = Callable[[Saved], Any]
TAKEN = "it is taken"


@frozen
class Held:
    """A search that was saved."""

    begun: Callable[[], Any]
    """Returns a run that has not expanded a state."""
    saved: Saved

    def restore(self, change: Change = lambda saved: None) -> Any:
        """Return a run that begins with a changed copy of what was saved."""
        changed = copied(self.saved)
        change(changed)
        run = self.begun()
        run.restore(changed)
        return run

    def check(self, cases: list[tuple[Change, str]]) -> None:
        """Check that what was saved is taken, and with each of these changes refused, for the reason beside it.

        Changes that are allowed have the reason `TAKEN`.
        """
        with np.errstate(over="ignore"):  # products of 64 bits wrap around, as in machine code
            self.begun().restore(self.begun().saved())
            self.restore()
            for number, (change, why) in enumerate(cases):
                found = TAKEN
                try:
                    self.restore(change)
                except InputFormatError as error:
                    found = str(error).partition("continued: ")[2]
                assert (number, found[: len(why)]) == (number, why)


def copied(saved: Saved) -> Saved:
    """Return a copy whose arrays can be changed."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in saved.items()}


def held(begun: Callable[[], Any], until: Callable[[Saved], Any], step: int = 1) -> Held:
    """Return a search, saved as soon as something holds of what it has."""
    with np.errstate(over="ignore"):
        run = begun()
        while not run.ended:
            run.tree.expanded += run.advance(step)
            if until(run.saved()):
                return Held(begun, copied(run.saved()))
    raise AssertionError("it ended before")


def put(name: str, at: Any, value: Any) -> Change:
    """Return the change of an element of an array; place and value may be made of what is saved."""

    def change(saved: Saved) -> None:
        place = at(saved) if callable(at) else at
        saved[name][place] = value(saved) if callable(value) else value

    return change


def also(*changes: Change) -> Change:
    """Return several changes as one."""
    return lambda saved: [change(saved) for change in changes]


def cut(name: str) -> Change:
    """Return the change of an array that leaves its last element out."""
    return lambda saved: saved.update({name: saved[name][:-1]})


def of(name: str, value: Any) -> Change:
    """Return the change of a value."""
    return lambda saved: saved.update({name: value})


def counter(at: int, value: Any) -> Change:
    """Return the change of a counter."""
    return put("counters", at, value)


def lengths(*names: str) -> list[tuple[Change, str]]:
    """Return the cases of arrays that are too short."""
    return [(cut(name), f"{name}: it has ") for name in names]


def bounds(**below: Any) -> list[tuple[Change, str]]:
    """Return the cases of numbers that are too large by one, by the names of arrays, with `_` for a space."""
    names = {name.replace("_", " "): bound for name, bound in below.items()}
    return [(put(name, -1, bound), f"{name}: expected numbers from 0") for name, bound in names.items()]
