"""Networks made by numpy: the same as in `searchkit_graph.precomputed.network`."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from searchkit.compiled.view import Stencil


def stencil_arrays(stencil: Stencil, kinds: Sequence[int]) -> list[Any]:
    """Return the arrays of the network of a grid, given the length of each move over weight 1."""
    masks = np.frombuffer(stencil.masks, np.uint8)
    taken = np.unpackbits(masks[:, None], axis=1, count=len(kinds), bitorder="little").astype(bool)
    heads = (np.arange(len(masks))[:, None] + np.array(stencil.offsets, np.int64))[taken]
    lengths = np.broadcast_to(np.array(kinds, np.uint32), taken.shape)[taken]
    if stencil.weights is not None:
        lengths = lengths * np.frombuffer(stencil.weights, np.uint8)[heads]
    begins = np.concatenate([[0], np.cumsum(taken.sum(1))])
    return [as_array("q", begins), as_array("I", heads), as_array("I", lengths)]


def reverse_arrays(size: int, begins: Any, heads: Any, lengths: Any) -> list[Any]:
    """Return the arrays of a network whose edges are turned around; [] if that makes no difference."""
    if not len(heads):
        return []
    begins, heads = np.frombuffer(begins, np.int64), np.frombuffer(heads, np.uint32)
    lengths = np.frombuffer(lengths, np.uint32)
    tails = np.repeat(np.arange(size), np.diff(begins))
    order = np.argsort(heads, kind="stable")
    there, back = np.lexsort((lengths, heads, tails)), np.lexsort((lengths, tails, heads))
    if (
        np.array_equal(tails[there], heads[back])
        and np.array_equal(heads[there], tails[back])
        and np.array_equal(lengths[there], lengths[back])
    ):
        return []
    back_begins = np.concatenate([[0], np.cumsum(np.bincount(heads, minlength=size))])
    return [as_array("q", back_begins), as_array("I", tails[order]), as_array("I", lengths[order])]


def as_array(kind: str, numbers: Any) -> Any:
    """Return numbers as an array of the standard library."""
    found = array(kind)
    found.frombytes(np.ascontiguousarray(numbers, {"q": np.int64, "I": np.uint32}[kind]).tobytes())
    return found
