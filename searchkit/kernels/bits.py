"""Instructions of the processor that Numba has no names for."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from searchkit.compiled.inlining import bits_set as bits_set
from searchkit.compiled.inlining import lowest_bit as lowest_bit


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
