"""Calling a kernel without looking each time for its machine code.

Numba finds the machine code by the types of all arguments, including those in tuples. For a kernel of a search, which
takes thirty arrays, that takes some 20 µs: more than a small search itself. Once the machine code is known for
arguments of these types, the call takes 1 µs.
"""

from typing import Any
from weakref import WeakKeyDictionary

from numba import typeof

type_of: Any = typeof
_entries: dict[tuple[Any, Any], Any] = {}
"""A kernel and kinds of arguments → its machine code for them."""
_marks: dict[Any, object] = {}
_known: WeakKeyDictionary[Any, object] = WeakKeyDictionary()


def call(kernel: Any, kinds: Any, *arguments: Any) -> Any:
    """Call a kernel, and return what it returns.

    Args:
        kernel: a function made by `searchkit.compiled.functions.kernel`.
        kinds: tells the types of the arguments, and can be hashed. Whenever it is equal, the arguments must have the
            same types: arrays the same elements, dimensions and layout, and all or none of them are read-only.
        arguments: what the kernel takes.

    """
    entry = _entries.get((kernel, kinds))
    if entry is not None:
        return entry(*arguments)
    result = kernel(*arguments)
    compiled = kernel.overloads.get(tuple(map(type_of, arguments)))
    if compiled is not None:
        _entries[kernel, kinds] = compiled.entry_point
    return result


def types_of(owner: Any, arrays: Any) -> object:
    """Return an object that is the same one for arguments of the same types.

    `owner` is what the arguments are made of, always the same ones: the answer is kept as long as it exists.
    """
    found = _known.get(owner)
    if found is None:
        found = _known[owner] = _marks.setdefault(type_of(arrays), object())
    return found
