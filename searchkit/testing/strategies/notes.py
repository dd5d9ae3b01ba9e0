"""Noting what was drawn: a failing test shows the picture."""

from typing import Any

from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st


@st.composite
def noted(draw: st.DrawFn, strategy: st.SearchStrategy[Any]) -> Any:
    """Draw what the strategy draws, and note each problem as its drawing; where no test runs, nothing is noted.

    Hypothesis prints the notes of the smallest failing example.
    """
    # Not strategy.map(…): Hypothesis would show a call of the mapping function in place of the problem's repr.
    problem = draw(strategy)
    if currently_in_test_context():
        note(_Shown(problem))
    return problem


class _Shown:
    """Shown as the repr of something, which is asked for only if a note is printed: few drawn problems fail."""

    def __init__(self, shown: Any):
        self.shown = shown

    def __repr__(self) -> str:
        return repr(self.shown)
