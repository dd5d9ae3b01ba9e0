"""Functions that watch a search."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from searchkit.errors import InvalidOptionError

if TYPE_CHECKING:
    from searchkit.search.driver import Search

Observer = Callable[["Search[Any, Any]", Any], object]
"""Called as `observer(search, state)` just before each state is expanded."""


def checked_observers(observers: Iterable[Observer]) -> tuple[Observer, ...]:
    """Return the observers of a search. Raises `InvalidOptionError` unless they are a collection of functions."""
    expected = "expected a list of functions observer(search, state)"
    if not isinstance(observers, Iterable):
        hint = f": observers=[{_name(observers)}]" if callable(observers) else ""
        raise InvalidOptionError(f"observers={observers!r}: {expected}{hint}")
    found = tuple(observers)
    for observer in found:
        if not callable(observer):
            raise InvalidOptionError(f"observers: {observer!r} can't be called; {expected}")
    return found


def _name(function: object) -> str:
    return str(getattr(function, "__name__", "…")).replace("<lambda>", "…")


@frozen
class PerSlice:
    """An observer that is called once a slice."""

    observer: Observer

    def __call__(self, search: "Search[Any, Any]", state: Any) -> object:
        """Call the observer."""
        return self.observer(search, state)


def per_slice(observer: Observer) -> Observer:
    """Return the same observer, to be called once a slice of a search and not at each expansion. Also a decorator.

    A slice is what an engine does in about five milliseconds (the first ones are shorter; stepping by hand, and under
    a limit of cost, one is one expansion). The observer is called after each, so that all that the search has learned
    can be read, with the state to be expanded next; with None where the search has ended.

    Costs next to nothing, in Python and in machine code: while other observers hold an engine up at each state, and so
    keep a search with `backend="auto"` in Python, these do neither. As theirs, its errors end the run, and nothing is
    lost: the search can be resumed.

    Example:
        >>> from searchkit import per_slice, problem_from, solve
        >>> @per_slice
        ... def show(search, state):
        ...     if state is None:
        ...         print("expanded", search.statistics.expanded)
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3)
        >>> solve(line, observers=[show]).cost
        expanded 5
        3

    """
    return PerSlice(observer)
