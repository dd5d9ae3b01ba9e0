"""Instructions of the processor that Numba has no names for."""

from typing import Any

from llvmlite import ir
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


def _fetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for an item of an array to be brought into the cache, for it will be needed soon. For kernels only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, _ = signature.args
        data = context.make_array(array_type)(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        prefetch = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [place.type],
            ir.FunctionType(ir.VoidType(), [place.type, number, number, number]),
        )
        builder.call(prefetch, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


fetch: Any = intrinsic(_fetch)
lowest_bit: Any = intrinsic(_lowest_bit)
bits_set: Any = intrinsic(_bits_set)
