"""What the processor can do in one instruction, and Numba has no name for."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


def _prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the line of a cache that holds an element of an array. Nothing waits for it, and any index will do."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(builder.gep(view.data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def _lowest(typing: Any, bits: Any) -> Any:
    """Return the place of the lowest bit that is set, of 64 of which one is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


def _highest(typing: Any, bits: Any) -> Any:
    """Return the place of the highest bit that is set, of 64 of which one is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.sub(ir.IntType(64)(63), builder.ctlz(arguments[0], ir.IntType(1)(1)))

    return types.int64(types.uint64), generate


prefetch: Any = intrinsic(_prefetch)
lowest: Any = intrinsic(_lowest)
highest: Any = intrinsic(_highest)
