"""Functions that watch a search."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from attrs import frozen

from searchkit.errors import InvalidOptionError

Watched = TypeVar("Watched", contravariant=True)
"""What an observer takes as its first argument: a `searchkit.Search`."""


def checked_observers(observers: Iterable[Callable[[Watched, Any], object]]) -> tuple[Any, ...]:
    """Return the observers of a search. Raises `InvalidOptionError` unless they are a collection of functions."""
    expected = "expected a list of functions observer(search, state)"
    if not isinstance(observers, Iterable):
        name = str(getattr(observers, "__name__", "…")).replace("<lambda>", "…")
        hint = f": observers=[{name}]" if callable(observers) else ""
        raise InvalidOptionError(f"observers={observers!r}: {expected}{hint}")
    found = tuple(observers)
    for observer in found:
        if not callable(observer):
            raise InvalidOptionError(f"observers: {observer!r} can't be called; {expected}")
    return found


@frozen
class PerSlice(Generic[Watched]):
    """An observer that is called once a slice."""

    observer: Callable[[Watched, Any], object]

    def __call__(self, search: Watched, state: Any) -> object:
        """Call the observer."""
        return self.observer(search, state)


def per_slice(observer: Callable[[Watched, Any], object]) -> Callable[[Watched, Any], object]:
    """Return the same observer, to be called once per slice of a search instead of at each expansion. Also a decorator.

    A slice is what an engine does in about five milliseconds. The first ones are shorter; when stepping by hand, and
    with a limit of cost, a slice is one expansion. The observer is called after each slice, with the state to be
    expanded next, or None if the search has ended.

    Such an observer costs almost nothing, in Python and in machine code, and does not keep a search with
    `backend="auto"` in Python, unless it reads `search.tree`. An error that an observer raises ends the run; nothing is
    lost, and the search can be resumed.

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
