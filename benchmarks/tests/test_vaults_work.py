from types import SimpleNamespace
from typing import Any, cast

from benchmarks.cpp.vaults import rows
from searchkit import SearchProblem, solve
from searchkit_keys import vault


def reference(cells: Any, height: int, width: int, expanded: Any, states: Any) -> int:
    """Solve the vault behind a C pointer, in Python."""
    text = bytes(cells[: height * width]).decode()
    problem: SearchProblem[Any, Any] = vault(
        [text[begin : begin + width] for begin in range(0, height * width, width)]
    )
    return int(solve(problem, backend="python").cost or 0)


def test_rows_do_the_same_work_on_both_sides() -> None:
    """The reference is handed the vaults that we solve."""
    library = cast(Any, SimpleNamespace(vault=reference))
    made = list(rows(library, size=13, keys=3, seeds=2))
    assert [work.name.split(", ")[3] for work in made] == ["1 robot", "1 robot", "4 robots", "4 robots"]
    for work in made:
        found = work.ours()
        assert isinstance(found, float)
        assert work.reference() == found > 0
