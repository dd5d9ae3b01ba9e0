"""Finding states of equal content that are not equal, because their class does not define `==`."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from searchkit.basics.instances import attributes, consists_of_attributes
from searchkit.errors import shortened

SAMPLE = 1_000
"""How many states of a search are inspected, from the first one on."""
FIRST = 20
"""If none of this many states has a part that is compared by identity, the others are not inspected."""
PARTS = 1_000
"""How many parts of a state are inspected; a state with more, such as one that holds its problem, is skipped."""
PLAIN = (int, float, complex, bool, str, bytes, type(None))


def lookalikes(states: Iterable[Any], most: int = SAMPLE) -> tuple[Any, Any] | None:
    """Return two of the first states that have equal content and are not equal; None if there are none."""
    seen: dict[Any, Any] = {}
    sample = list(islice(states, most))
    try:
        if all(content(state) is None for state in sample[:FIRST]):
            return None
        for state in sample:
            key = content(state)
            other = state if key is None else seen.setdefault(key, state)
            if other is not state and other != state:
                return other, state
    except Exception:  # attributes, hash or == raise: that is another fault
        return None
    return None


def content(state: Any) -> Any:
    """Return the contents of a state as a hashable value; None if no part of the state is compared by identity."""
    reader = _Reader()
    try:
        key = reader.content(state)
    except RecursionError:
        return None
    return key if reader.by_identity else None


def remedy(state: Any) -> str:
    """Return advice for a state that is compared by identity, or has parts that are."""
    reader = _Reader()
    with suppress(Exception):
        reader.content(state)
    kind = reader.by_identity[0] if reader.by_identity else type(state)
    return (
        f"{kind.__name__} has no __eq__ and __hash__ of its own, so each object is a state of its own. Define both "
        "over its contents (@dataclass(frozen=True) or @attrs.frozen do it), or use a tuple"
    )


def as_text(state: Any) -> str:
    """Return the repr of a state; one made of its attributes if its class does not define `__repr__`."""
    kind: Any = type(state)
    parts = _attributes(state) if kind.__repr__ is object.__repr__ else []
    if not parts:
        return repr(state)
    return f"{kind.__name__}({', '.join(f'{name}={part!r}' for name, part in parts)})"


def shown(state: Any) -> str:
    """Return the text of a state, at most 80 characters long."""
    return shortened(as_text(state), 80)


class _Reader:
    """Makes the key of one state, and collects the classes of the parts that are compared by identity."""

    def __init__(self) -> None:
        self.by_identity: list[type] = []
        self.parts = 0

    def content(self, value: Any) -> Any:
        """Return a value as a key. Raises `RecursionError` if it has too many parts."""
        self.parts += 1
        if self.parts > PARTS:
            raise RecursionError
        kind: Any = type(value)
        if kind in PLAIN:
            return value
        if isinstance(value, tuple | list):
            return kind, tuple(map(self.content, value))
        if isinstance(value, set | frozenset):
            return kind, frozenset(Counter(map(self.content, value)).items())
        if isinstance(value, Mapping):
            return kind, frozenset((name, self.content(part)) for name, part in value.items())
        if kind.__hash__ is None:  # an array of numbers, whose contents are not attributes
            view = memoryview(value)
            return kind, view.format, view.shape, view.tobytes()
        parts = _attributes(value)
        if not parts:
            return value
        alone = kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__
        before = len(self.by_identity)
        if alone:
            self.by_identity.append(kind)
        key = kind, tuple((name, self.content(part)) for name, part in parts)
        # A value that compares its own contents, and holds nothing compared by identity, is its own key.
        return key if len(self.by_identity) > before else value


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Return (name, value) of the attributes of an instance; none if the instance may hold more than attributes.

    Classes, functions and modules are compared by identity on purpose, and have none either.
    """
    if callable(value) or not consists_of_attributes(type(value)):
        return []
    return sorted(attributes(value))
