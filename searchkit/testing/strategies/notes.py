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
        note(repr(problem))
    return problem
