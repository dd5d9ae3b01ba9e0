"""Finding states of equal content that are not equal, because their class does not define `==`."""

from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from itertools import islice
from pickle import HIGHEST_PROTOCOL, Pickler
from types import BuiltinFunctionType, FunctionType
from typing import Any

from searchkit.errors import shortened

SAMPLE = 1_000
"""How many states of a search are inspected, from the first one on."""
FIRST = 20
"""If none of this many states has a part that is compared by identity, the others are not inspected."""
MAX_BYTES = 100_000
"""A state with more content, such as one that holds its problem, is skipped."""


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


def content(state: Any) -> bytes | None:
    """Return the contents of a state as bytes; None if no part of it is compared by identity, or it can't be read."""
    reader = _Reader(state)
    return reader.contents if reader.by_identity else None


def remedy(state: Any) -> str:
    """Return advice for a state that is compared by identity, or has parts that are."""
    kind = next(iter(_Reader(state).by_identity), type(state))
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


class _Limited(BytesIO):
    """A file for the contents of a state, which pickle writes in parts."""

    def write(self, data: Any) -> int:
        if self.tell() > MAX_BYTES:
            raise ValueError("this is long")
        return super().write(data)


class _Reader(Pickler):
    """Writes a state as pickle does, and collects the classes of the parts that are compared by identity."""

    def __init__(self, state: Any) -> None:
        file = _Limited()
        super().__init__(file, HIGHEST_PROTOCOL)
        self.fast = True  # equal parts are written alike, whether they are the same object or not
        self.by_identity: list[type] = []
        self.contents: bytes | None = None  # the state can't be pickled, or is too long
        with suppress(Exception):
            self.dump(state)
            self.contents = file.getvalue()

    def reducer_override(self, value: Any) -> Any:
        """Write classes and functions, which other processes may not find, by their names."""
        kind: Any = type(value)
        if value is str:
            return NotImplemented
        if isinstance(value, type | FunctionType | BuiltinFunctionType):
            return str, (repr(value),)
        alone = kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__
        if alone and getattr(
            value, "__dict__", True
        ):  # what has no content is compared by identity on purpose
            self.by_identity.append(kind)
        return NotImplemented
