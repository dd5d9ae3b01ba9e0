"""Finding states of equal content that are not equal, because their class does not define `==`."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

SAMPLE = 1_000
"""How many states of a search are inspected, from the first one on."""
MAX_DEPTH = 4
"""Parts of parts are looked at up to this depth."""


def lookalikes(states: Iterable[Any], most: int = SAMPLE) -> tuple[Any, Any] | None:
    """Return two of the first states that have equal content and are not equal; None if there are none.

    If no part of the first state is compared by identity, the others are not inspected.
    """
    seen, sample = dict[Any, Any](), list(islice(states, most))
    with suppress(Exception):  # of a class of the user's: that is another fault
        for state in sample if _by_identity(sample[0]) else ():
            other = seen.setdefault(content(state), state)
            if other is not state and other != state:
                return other, state
    return None


def content(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return the contents of a state: its classes with their attributes, as tuples."""
    kind: Any = type(value)
    if depth and kind in (tuple, list):
        return kind, *(content(part, depth - 1) for part in value)
    if depth and kind in (set, frozenset):
        return frozenset(content(part, depth - 1) for part in value)
    if not (own := _attributes(value)) or not depth:  # what has no content is compared by identity on purpose
        return value
    return kind, *((name, content(own[name], depth - 1)) for name in sorted(own))


def _attributes(value: Any) -> dict[str, Any]:
    slots = [name for name in getattr(type(value), "__slots__", ()) if not name.startswith("__")]
    own = {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in slots}}
    return {} if callable(value) else own


def _by_identity(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Whether a state, or a part of it, has contents and is equal only to itself."""
    kind: Any = type(value)
    parts = value if kind in (tuple, list, set, frozenset) else _attributes(value).values()
    alone = bool(parts) and kind.__eq__ is object.__eq__
    return alone or (depth > 0 and any(_by_identity(part, depth - 1) for part in parts))


def remedy(state: Any) -> str:
    """Return advice for a state that is compared by identity, or has parts that are."""
    kind: Any = type(state)
    what = kind.__name__ if kind.__eq__ is object.__eq__ else f"a part of the {kind.__name__}"
    return (
        f"{what} has no __eq__ and __hash__ of its own, so each object is a state of its own. Define both over its "
        "contents (@dataclass(frozen=True) or @attrs.frozen do it), or use a tuple"
    )
