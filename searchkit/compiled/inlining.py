"""Instructions of the processor, which become part of the machine code around them. Needs the extra `fast`."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

NOT_ZERO = ir.Constant(ir.IntType(1), 1)
"""Tells LLVM that a word is not 0."""


def _instruction(name: str, generate: Callable[[Any, Any], Any]) -> Any:
    """Return a function of a word, for compiled code only, that becomes instructions."""

    def typed(typing_context: Any, word: Any) -> Any:
        return types.uint64(types.uint64), lambda _, builder, __, arguments: generate(builder, arguments[0])

    typed.__name__ = name
    return intrinsic(typed)


bits_set: Any = _instruction("bits_set", lambda builder, word: builder.ctpop(word))
"""Return how many bits of a word are set."""
lowest_bit: Any = _instruction("lowest_bit", lambda builder, word: builder.cttz(word, NOT_ZERO))
"""Return the place of the lowest bit that is set, of a word that is not 0."""
highest_bit: Any = _instruction(
    "highest_bit",
    lambda builder, word: builder.sub(word.type(63), builder.ctlz(word, NOT_ZERO)),
)
"""Return the place of the highest bit that is set, of a word that is not 0."""


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask the processor to load an element of an array into its cache. In compiled code only.

    Nothing waits for it, and any index is allowed.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(instruction, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


prefetch: Any = intrinsic(_prefetch)
