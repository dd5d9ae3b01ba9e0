"""Instructions of the processor that Numba has no names for."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


def _lowest_bit(typing_context: Any, word: Any) -> Any:
    """Return the place of the lowest bit that is set, of a word that is not 0. For kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _bits_set(typing_context: Any, word: Any) -> Any:
    """Return how many bits of a word are set. For kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


lowest_bit: Any = intrinsic(_lowest_bit)
bits_set: Any = intrinsic(_bits_set)
