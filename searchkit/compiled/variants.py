"""Functions of machine code that have a variant for each type of their arguments.

    @variants("store")
    def cost_of(store, place):
        \"\"\"Return the cost of the arrival in a record.\"\"\"

    @cost_of.when(Slim)
    def _(store, place):
        return store.costs[place]

    @cost_of.when(object)
    def _(store, place):
        return np.uint64(store.words[place]).view(np.float64)

The compiler chooses the first variant that fits and inlines it: the choice takes no time in a search. Needs the extra
`fast`.
"""

from collections.abc import Callable
from functools import update_wrapper
from inspect import signature
from types import UnionType
from typing import Any

from numba.extending import overload

Function = Callable[..., Any]
INLINED: Any = {
    "forceinline": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip
"""How small functions of kernels are compiled: always inlined, and without reference counts of arrays: they make no
arrays. (Counting took more than half of the time of a breadth-first search.) What only calls from Python and C need is
left out: a quarter of the compiling."""


class Variants:
    """A function that has a variant for each type of some of its arguments. Only compiled code can call it.

    Args:
        declared: declares the arguments and has the docstring; its body is never run.
        chosen_by: the names of the arguments whose types choose the variant.
        returns_arrays: whether a variant returns a part of an array.

    """

    __name__: str

    def __init__(self, declared: Function, chosen_by: tuple[str, ...], returns_arrays: bool):
        update_wrapper(self, declared)
        names = list(signature(declared).parameters)
        self._places = [names.index(name) for name in chosen_by]
        self.tried: list[tuple[tuple[type | UnionType, ...], Function]] = []
        """The variants, in order, and for what kinds of arguments they are."""
        # Only with reference counts may a function return a part of an array; inlined by Numba, none are counted.
        options = INLINED | {"forceinline": False, "_nrt": True} if returns_arrays else INLINED
        inline: Any = "always" if returns_arrays else "never"
        choose: Any = lambda *arguments: self._chosen(arguments)  # noqa: E731  # it is given a signature
        choose.__signature__ = signature(declared)
        overload(self, jit_options=options, strict=False, inline=inline)(choose)

    def __call__(self, *arguments: Any) -> Any:
        """Raise `TypeError`: there is no code in Python."""
        raise TypeError(f"{self.__module__}.{self.__name__} can only be called by compiled code")

    def when(self, *kinds: type | UnionType) -> Callable[[Function], Function]:
        """Decorate the variant for these kinds of arguments, one for each of `chosen_by`.

        A kind is a `NamedTuple` class, a class of Numba types such as `numba.types.Array`, a union of these, or
        `object` for any. Variants are tried in the order in which they are defined.
        """

        def add(variant: Function) -> Function:
            self.tried.append((kinds, variant))
            return variant

        return add

    def _chosen(self, arguments: tuple[Any, ...]) -> Function | None:
        """Return the variant for arguments of these Numba types; None if there is none, which Numba reports."""
        given = [
            getattr(arguments[place], "instance_class", type(arguments[place])) for place in self._places
        ]
        for kinds, variant in self.tried:
            if all(map(issubclass, given, kinds)):
                return variant
        return None


def variants(*chosen_by: str, returns_arrays: bool = False) -> Callable[[Function], Variants]:
    """Declare a function whose variants are chosen by the types of these arguments: see `Variants`."""
    return lambda declared: Variants(declared, chosen_by, returns_arrays)
