"""`searchkit solve --animate`: the path, state by state."""

from collections.abc import Callable
from typing import Any

FIELD = ("field", "S.#", "..G")


def test_the_path_grows_state_by_state(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Without a terminal, one frame below the other, and then the usual report."""
    path = file(*FIELD)
    outcome = run("solve", path, "--animate")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert [line for line in lines if line.startswith("state ")] == [f"state {n} of 4" for n in range(1, 5)]
    shown = [lines[index + 1 : index + 3] for index in range(0, 12, 3)]
    assert len({tuple(frame) for frame in shown}) > 1  # the path grows
    assert all(len(row) == 3 for frame in shown for row in frame)
    plain = run("solve", path).out.splitlines()
    assert lines[12:][:5] == plain[:5]
