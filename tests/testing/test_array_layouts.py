"""Array layouts: those that do not fit the states, the costs or the compiled view are found by name."""

from typing import Any

import pytest
from attrs import evolve

from searchkit.compiled.array_layout import ArrayLayout
from searchkit.testing import CheckFailure, check_compiled, check_problem
from searchkit.testing.problems import examine
from searchkit_dungeon import grid
from searchkit_dungeon.problem import Grid
from searchkit_graph import graph
from tests.mutants.ladders import Ladder

SOUND: ArrayLayout[int] = ArrayLayout((4,), lambda rung: (rung,), True, labels=[0, 1, 2, 3])
WRONG = {
    "an index outside": (
        evolve(SOUND, shape=(3,), labels=None),
        "index of 3 is (3,), which is not in an array",
    ),
    "an index below 0": (evolve(SOUND, place=lambda rung: (rung - 1,)), "the index of 0 is (-1,)"),
    "a number as the index": (evolve(SOUND, place=lambda rung: rung), "the index of 0 is 0"),
    "too long an index": (evolve(SOUND, place=lambda rung: (rung, 0)), "the index of 0 is (0, 0)"),
    "an index for two states": (
        evolve(SOUND, place=lambda rung: (rung // 2,)),
        "the index of 1 is (0,), and so is that of 0",
    ),
    "labels in another order": (
        evolve(SOUND, labels=[0, 2, 1, 3]),
        "the index of 1 is 1, where labels has 2",
    ),
    "too few labels": (evolve(SOUND, labels=[0, 1]), "has 2 labels and the shape (4,)"),
    "labels for two axes": (evolve(SOUND, shape=(4, 1)), "has 4 labels and the shape (4, 1)"),
    "a shape below 0": (
        evolve(SOUND, shape=(-4,)),
        "has the shape (-4,) and the strides None; expected a number",
    ),
    "too many strides": (evolve(SOUND, strides=(1, 1)), "the strides (1, 1); expected a number"),
    "a stride below 0": (evolve(SOUND, strides=(-1,)), "the strides (-1,); expected a number"),
    "another thing": ((4,), "returned (4,), which is not an ArrayLayout"),
}


class Arrayed(Ladder):
    """A ladder of three rungs with an array layout."""

    step: Any = 1

    def cost(self, state: int, action: str, successor: int) -> Any:
        return self.step

    def array_layout(self) -> Any:
        return self.__dict__["layout"]


def arrayed(layout: Any) -> Arrayed:
    """Return a ladder with a layout."""
    ladder = Arrayed(3)
    ladder.__dict__["layout"] = layout
    return ladder


def broken(problem: Any, check: Any = check_problem) -> tuple[str, str]:
    """Return the only promise that is broken, and how."""
    with pytest.raises(CheckFailure) as failure:
        check(problem)
    (fault,) = failure.value.report.failures
    return fault.name, fault.detail


def test_a_sound_layout_passes() -> None:
    """And a problem without one is not checked."""
    assert examine(arrayed(SOUND), 9)[0]["array layout"].outcome == "holds"
    assert examine(Ladder(3), 9)[0]["array layout"].detail == "it is not Arrayable: it has no array_layout"


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_layout_is_found(name: str) -> None:
    """The report says which state, or which part of the layout, is wrong."""
    layout, message = WRONG[name]
    promise, detail = broken(arrayed(layout))
    assert promise == "array layout"
    assert message in detail


def test_costs_that_are_no_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They contradict whole=True, and fit whole=False."""
    monkeypatch.setattr(Arrayed, "step", 1.5)
    promise, detail = broken(arrayed(SOUND))
    assert (promise, "costs 1.5" in detail) == ("array layout", True)
    assert examine(arrayed(evolve(SOUND, whole=False)), 9)[0]["array layout"].outcome == "holds"


def test_a_layout_that_raises() -> None:
    """It is an error like any other, and names the state."""

    def fail(rung: int) -> tuple[int]:
        raise KeyError(rung)

    promise, detail = broken(arrayed(evolve(SOUND, place=fail)))
    assert promise == "no errors"
    assert "array_layout().place(0) raised KeyError" in detail


@pytest.mark.long  # compiles
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"strides": (1, 4)}, "and is packed as"),
        ({"shape": (9, 3)}, "lead to the packed state"),
    ],
)
def test_strides_that_do_not_fit_the_view(change: Any, message: str) -> None:
    """The array would show the distances of other states, or what is not in memory."""
    room = grid(["S..", "..G"])

    class Skewed(type(room)):  # type: ignore[misc]
        def array_layout(self) -> Any:
            return evolve(super().array_layout(), **change)

    skewed: Grid = Skewed(room.terrain, room.starts, room.goals)
    promise, detail = broken(skewed, check_compiled)
    assert promise == "array layout"
    assert message in detail
    assert check_compiled(room)
    assert check_compiled(graph(["start A", "goal B", "A B 2"]))
