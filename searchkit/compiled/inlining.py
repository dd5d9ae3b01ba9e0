"""What becomes part of the machine code around it: functions, instructions, fields of a `Layout`.

A field is a constant in compiled code. Its type says where it is, so that its methods are made of shifts and masks.
Needs the extra `fast`.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, overload

from searchkit.compiled.layout import WORD, ArrayField, Field
from searchkit.compiled.variants import INLINED, UNWRAPPED, Function, variants


def digest_of_inlined(function: Function) -> str:
    """Return a digest of what a function takes from outside itself: constants, fields, and the functions that it calls.

    Numba looks only at the file that a function is in to see whether what it has kept on disk is out of date.
    """
    return sha256("\n".join(_inlined(function, set())).encode()).hexdigest()[:12]


def _inlined(function: Function, seen: set[Any]) -> Iterator[str]:
    seen.add(function)
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, bool | int | float | tuple | np.generic | Field | ArrayField):
            yield f"{name} = {value!r}"
        called = value.py_func if isinstance(value, Dispatcher) else None
        if called is not None and called not in seen:
            numbers = [value for value in called.__code__.co_consts if not hasattr(value, "co_code")]
            yield f"{name}: {called.__code__.co_code!r} {numbers}"
            yield from _inlined(called, seen)


def _lowest_bit(typing_context: Any, word: Any) -> Any:
    """Return the place of the lowest bit that is set, of a word that is not 0. In compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def _bits_set(typing_context: Any, word: Any) -> Any:
    """Return how many bits of a word are set. In compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _highest_bit(typing_context: Any, word: Any) -> Any:
    """Return the place of the highest bit that is set, of a word that is not 0. In compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(WORD), WORD - 1), zeros)

    return types.uint64(types.uint64), generate


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


def _load_shared(typing_context: Any, array: Any, index: Any) -> Any:
    """Return a word of an array of uint64 that other threads may be changing. In compiled code only.

    The word is read once, and is one that was there: LLVM's `monotonic`, C's `memory_order_relaxed`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load_atomic(builder.gep(data, [arguments[1]]), "monotonic", align=WORD // 8)

    return types.uint64(array, types.uint64), generate


def _set_shared(typing_context: Any, array: Any, index: Any, bits: Any) -> Any:
    """Set bits of a word of an array of uint64, whatever bits of it other threads are setting. In compiled code only.

    Reading and writing are one atomic operation, so that no thread's bits are lost.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        builder.atomic_rmw("or", builder.gep(data, [arguments[1]]), arguments[2], "monotonic")
        return context.get_dummy_value()

    return types.void(array, types.uint64, types.uint64), generate


bits_set: Any = intrinsic(_bits_set)
highest_bit: Any = intrinsic(_highest_bit)
load_shared: Any = intrinsic(_load_shared)
lowest_bit: Any = intrinsic(_lowest_bit)
prefetch: Any = intrinsic(_prefetch)
set_shared: Any = intrinsic(_set_shared)


class FieldType(types.Type):
    """The type of one field. A set is an integer: its bits."""

    def __init__(self, field: Field):
        values = range(1 << field.bits) if isinstance(field.values, tuple) else field.values
        self.word, self.shift = np.int64(field.word), np.uint64(field.shift)
        self.bits, self.mask = np.uint64(field.bits), np.uint64((1 << field.bits) - 1)
        self.first, self.step = np.int64(values[0]), np.int64(values.step)
        super().__init__(f"Field({self.word}, {self.shift}, {self.bits}, {self.first}, {self.step})")


class ArrayFieldType(types.Type):
    """The type of an array of fields: that of the first, and how many there are in a word if they take several."""

    def __init__(self, array: ArrayField):
        self.first = FieldType(array[0])
        self.per_word = np.uint64(WORD // array[0].bits) if array[-1].word > array[0].word else None
        super().__init__(f"ArrayField({self.first.name}, {self.per_word})")


extending: Any = numba.extending  # it has no types
constant: Any = lower_constant
for _kind in (FieldType, ArrayFieldType):
    extending.register_model(_kind)(extending.models.OpaqueModel)
    constant(_kind)(lambda context, builder, kind, value: context.get_dummy_value())
extending.typeof_impl.register(Field)(lambda field, context: FieldType(field))
extending.typeof_impl.register(ArrayField)(
    lambda array, context: ArrayFieldType(array) if array.elements else None
)


def _method(kind: type, name: str) -> Callable[[Function], Function]:
    """Make a function, which makes a method of its arguments' types, one of a kind of field."""
    decorator: Callable[[Function], Function] = extending.overload_method(
        kind, name, jit_options=INLINED | UNWRAPPED
    )
    return decorator


@_method(FieldType, "get")
def _get(field: Any, state: Any) -> Any:
    _check(field, state)
    mask, first, step = field.mask, field.first, field.step

    def get(field: Any, state: Any) -> Any:
        word, shift = _place(field, 0)
        return first + step * np.int64((_word(state, word) >> shift) & mask)

    return get


@_method(FieldType, "set")
def _set(field: Any, state: Any, value: Any) -> Any:
    _check(field, state)
    mask, first, step = field.mask, field.first, field.step

    def put(field: Any, state: Any, value: Any) -> Any:
        word, shift = _place(field, 0)
        number = np.uint64((np.int64(value) - first) // step)
        return _with_word(state, word, (_word(state, word) & ~(mask << shift)) | (number << shift))

    return put


@_method(ArrayFieldType, "get")
def _get_one(field: Any, state: Any, index: Any) -> Any:
    _check(field.first, state, field.per_word)
    mask, first, step = field.first.mask, field.first.first, field.first.step

    def get(field: Any, state: Any, index: Any) -> Any:
        word, shift = _place(field, index)
        return first + step * np.int64((_word(state, word) >> shift) & mask)

    return get


@_method(ArrayFieldType, "set")
def _set_one(field: Any, state: Any, index: Any, value: Any) -> Any:
    _check(field.first, state, field.per_word)
    mask, first, step = field.first.mask, field.first.first, field.first.step

    def put(field: Any, state: Any, index: Any, value: Any) -> Any:
        word, shift = _place(field, index)
        number = np.uint64((np.int64(value) - first) // step)
        return _with_word(state, word, (_word(state, word) & ~(mask << shift)) | (number << shift))

    return put


def _check(field: FieldType, state: Any, words: Any = None) -> None:
    """Raise Numba's `TypingError` for what can't be a packed state with that field."""
    if not isinstance(state, types.Array | types.Integer):
        raise TypingError(
            f"a field is read of a packed state, an integer or an array of words; this is {state}"
        )
    if isinstance(state, types.Integer) and (field.word or words):
        raise TypingError("this field is of a layout of several words: its states are arrays of them")


def _place(field: Any, index: Any) -> Any:
    raise TypeError("searchkit.compiled.inlining._place can only be called by compiled code")


@overload(_place, jit_options=INLINED | UNWRAPPED)
def _place_of(field: Any, index: Any) -> Any:
    one = field.first if isinstance(field, ArrayFieldType) else field
    word, shift, bits, per_word = one.word, one.shift, one.bits, getattr(field, "per_word", None)
    if per_word is None:

        def within(field: Any, index: Any) -> Any:
            return word, shift + bits * np.uint64(index)

        return within

    def across(field: Any, index: Any) -> Any:
        around = np.uint64(index) // per_word
        return word + np.int64(around), shift + bits * (np.uint64(index) - around * per_word)

    return across


@variants("state")
def _word(state: Any, word: Any) -> Any:
    """Return a word of a packed state."""


@_word.when(types.Array)
def _(state: Any, word: Any) -> Any:
    return state[word]


@_word.when(object)
def _(state: Any, word: Any) -> Any:
    return np.uint64(state)


@variants("state")
def _with_word(state: Any, word: Any, value: Any) -> Any:
    """Return a packed state with another value of a word; an array is changed, and nothing is returned."""


@_with_word.when(types.Array)
def _(state: Any, word: Any, value: Any) -> Any:
    state[word] = value


@_with_word.when(object)
def _(state: Any, word: Any, value: Any) -> Any:
    return value
