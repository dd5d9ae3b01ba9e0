"""Lending arrays that are kept for other searches: whoever views one, owns it.

The borrower gets a view, and the array is given back when no view of it is left, nor a view of a view. So it does not
matter who holds one, a search, its tree, a distance map or a path, nor what is dropped first.
"""

from collections.abc import Callable
from typing import Any
from weakref import finalize

import numpy as np


class _Loan:
    """What every view of a lent array keeps alive: numpy makes it the base of the first one.

    The garbage collector does not look into arrays. So it never finds a loan before the last view is gone, not even in
    a cycle.
    """

    __slots__ = ("__array_interface__", "__weakref__", "array")

    def __init__(self, array: Any):
        self.array = array
        self.__array_interface__ = array.view(np.uint8).__array_interface__


def lend(array: Any, give_back: Callable[..., object], *arguments: object) -> Any:
    """Return a view of a whole array of one dimension; `give_back(array, *arguments)` is called when none is left.

    That may be from within whatever any thread is doing then. The caller must not keep the array itself.
    """
    loan = _Loan(array)
    finalize(loan, give_back, array, *arguments).atexit = False
    return np.asarray(loan).view(array.dtype)
