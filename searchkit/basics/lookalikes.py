"""Finding states of equal content that are not equal, because their class does not define `==`."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

SAMPLE = 1_000
"""How many states of a search are inspected, from the first one on."""
PARTS = 1_000
"""How many parts of a state are inspected; a state with more, such as one that holds its problem, is skipped."""
PLAIN = (int, float, complex, bool, str, bytes, type(None))
CONTAINERS = (tuple, frozenset)
"""Containers whose parts say whether they are equal."""
DEPTH = 4
"""How deep containers are looked into at once."""
WIDEST = 80
"""The most characters of a state that a message shows."""
HEAP_TYPE = 1 << 9
"""The flag of classes that were defined in Python. Objects of others may hold more than attributes."""


def lookalikes(states: Iterable[Any], most: int = SAMPLE) -> tuple[Any, Any] | None:
    """Return two of the first states that have equal content and are not equal; None if there are none.

    The given states differ from one another. States of built-in types take almost no time.
    """
    seen: dict[Any, Any] = {}
    sample = list(islice(states, most))
    try:
        if _all_plain(sample):
            return None
        for state in sample:
            key = None if type(state) in PLAIN else content(state)
            if key is None:
                continue
            other = seen.setdefault(key, state)
            if other is not state and other != state:
                return other, state
    except Exception:  # attributes, hash or == raise: that is another fault
        return None
    return None


def _all_plain(values: Collection[Any]) -> bool:
    """Whether all values are of built-in types, as are their parts: False if that is not found out quickly.

    Equal parts are inspected once: one that is equal to another is not compared by identity.
    """
    for _ in range(DEPTH):
        found = set(map(type, values))
        kinds = found.difference(PLAIN)
        if not kinds:
            return True
        if not kinds.issubset(CONTAINERS):
            return False
        containers = values if kinds == found else [value for value in values if type(value) in CONTAINERS]
        values = set().union(*containers)
        if len(values) > SAMPLE * PARTS:
            return False
    return False


def content(state: Any) -> Any:
    """Return the contents of a state as a hashable value; None if no part of the state is compared by identity."""
    read = _Reader()
    try:
        key = read.content(state)
    except _TooLargeError:
        return None
    return key if read.by_identity else None


def identity_class(state: Any) -> type | None:
    """Return the first class, of the state or one of its parts, whose objects are equal only to themselves."""
    read = _Reader()
    with suppress(Exception):
        read.content(state)
    return read.by_identity[0] if read.by_identity else None


def remedy(state: Any) -> str:
    """Return advice for a state that is compared by identity, or has parts that are."""
    kind = identity_class(state) or type(state)
    return (
        f"{kind.__name__} has no __eq__ and __hash__ of its own, so each object is a state of its own. Define both "
        "over its contents (@dataclass(frozen=True) or @attrs.frozen do it), or use a tuple"
    )


def as_text(state: Any) -> str:
    """Return the repr of a state; one made of its attributes if its class does not define `__repr__`."""
    kind: Any = type(state)
    attributes = _attributes(state) if kind.__repr__ is object.__repr__ else []
    if not attributes:
        return repr(state)
    return f"{kind.__name__}({', '.join(f'{name}={part!r}' for name, part in attributes)})"


def shown(state: Any) -> str:
    """Return the text of a state, at most `WIDEST` characters long."""
    text = as_text(state)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


class _TooLargeError(Exception):
    """A state has more parts than are inspected."""


class _Reader:
    """Makes the key of one state, and collects the classes of the parts that are compared by identity."""

    def __init__(self) -> None:
        self.by_identity: list[type] = []
        self.parts = 0

    def content(self, value: Any) -> Any:
        self.parts += 1
        if self.parts > PARTS:
            raise _TooLargeError
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
        attributes = _attributes(value)
        if not attributes:
            return value
        alone = kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__
        if alone:
            self.by_identity.append(kind)
        before = len(self.by_identity)
        key = kind, tuple((name, self.content(part)) for name, part in attributes)
        # A value that compares its own contents, and holds nothing compared by identity, is its own key.
        return key if alone or len(self.by_identity) > before else value


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Return (name, value) of the attributes of an instance; none if the instance may hold more than attributes.

    Classes, functions and modules are compared by identity on purpose, and have none either.
    """
    kinds = type(value).__mro__[:-1]
    if callable(value) or not all(kind.__flags__ & HEAP_TYPE for kind in kinds):
        return []
    found = dict(getattr(value, "__dict__", ()))
    for kind in kinds:
        slots = vars(kind).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            mangled = slot.startswith("__") and not slot.endswith("__")
            name = f"_{kind.__name__.lstrip('_')}{slot}" if mangled else slot
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                found[name] = getattr(value, name)
    return sorted(found.items())
