"""Finding states of equal content that are not equal, because their class does not define `==`."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import count, islice
from types import BuiltinFunctionType, FunctionType
from typing import Any

from searchkit.errors import shortened

SAMPLE = 1_000
"""How many states of a search are inspected, from the first one on."""
FIRST = 20
"""If none of this many states has a part that is compared by identity, the others are not inspected."""
MAX_PARTS = 1_000
"""A state with more parts, such as one that holds its problem, is skipped."""


def lookalikes(states: Iterable[Any], most: int = SAMPLE) -> tuple[Any, Any] | None:
    """Return two of the first states that have equal content and are not equal; None if there are none."""
    seen: dict[Any, Any] = {}
    sample = list(islice(states, most))
    if all(content(state) is None for state in sample[:FIRST]):
        return None
    try:
        for state in sample:
            key = content(state)
            other = state if key is None else seen.setdefault(key, state)
            if other is not state and other != state:
                return other, state
    except Exception:  # == raises: that is another fault
        return None
    return None


def content(state: Any) -> Any:
    """Return the contents of a state, a hashable value; None if no part of it is compared by identity."""
    with suppress(Exception):
        by_identity, contents = _read(state)
        return contents if by_identity else None
    return None


def _read(state: Any) -> tuple[list[type], Any]:
    """Return the classes of the parts that are compared by identity, and the contents. Raises if it can't be read."""
    by_identity: list[type] = []
    parts = count(1)

    def read(value: Any) -> Any:
        if next(parts) > MAX_PARTS:
            raise ValueError("this is long")
        kind: Any = type(value)
        if kind in (tuple, list):
            return kind, *map(read, value)
        if kind in (set, frozenset):
            return frozenset(map(read, value))
        if isinstance(value, type | FunctionType | BuiltinFunctionType):
            return value
        slots = [name for name in getattr(kind, "__slots__", ()) if not name.startswith("__")]
        own = {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in slots}}
        if not own:  # what has no content is compared by identity on purpose
            return value
        if kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__:
            by_identity.append(kind)
        return kind, *((name, read(own[name])) for name in sorted(own))

    return by_identity, read(state)


def remedy(state: Any) -> str:
    """Return advice for a state that is compared by identity, or has parts that are."""
    kind = next(iter(_read(state)[0]), type(state))
    return (
        f"{kind.__name__} has no __eq__ and __hash__ of its own, so each object is a state of its own. Define both "
        "over its contents (@dataclass(frozen=True) or @attrs.frozen do it), or use a tuple"
    )


def as_text(state: Any) -> str:
    """Return the repr of a state; one made of its attributes if its class does not define `__repr__`."""
    kind: Any = type(state)
    parts = getattr(state, "__dict__", None)
    if not parts or kind.__repr__ is not object.__repr__ or callable(state):
        return repr(state)
    return f"{kind.__name__}({', '.join(f'{name}={part!r}' for name, part in sorted(parts.items()))})"


def shown(state: Any) -> str:
    """Return the text of a state, at most 80 characters long."""
    return shortened(as_text(state), 80)
