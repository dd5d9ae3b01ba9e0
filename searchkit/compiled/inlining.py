"""What becomes part of the machine code around it: instructions of the processor, and the fields of a `Layout`.

A field is a constant in compiled code. Its type says where it is, so that its methods are made of shifts and masks.
Needs the extra `fast`.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic

from searchkit.compiled.layout import WORD, Field
from searchkit.compiled.variants import INLINED, Function, variants

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
    lambda builder, word: builder.sub(word.type(WORD - 1), builder.ctlz(word, NOT_ZERO)),
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


class FieldType(types.Type):
    """The type of a field. A set is an integer: its bits."""

    def __init__(self, field: Field):
        values = range(1 << field.bits) if isinstance(field.values, tuple) else field.values
        self.is_array = field.count is not None
        self.word, self.shift = np.int64(field.word), np.uint64(field.shift)
        self.bits, self.mask = np.uint64(field.bits), np.uint64((1 << field.bits) - 1)
        self.first, self.step = np.int64(values[0]), np.int64(values.step)
        self.per_word = np.uint64(field.per_word)
        numbers = self.is_array, self.word, self.shift, self.bits, self.first, self.step, self.per_word
        super().__init__(f"FieldType({', '.join(map(str, numbers))})")


extending: Any = numba.extending  # it has no types
constant: Any = lower_constant
extending.register_model(FieldType)(extending.models.OpaqueModel)
constant(FieldType)(lambda context, builder, kind, value: context.get_dummy_value())
extending.typeof_impl.register(Field)(lambda field, context: FieldType(field))


def _inlined(declared: Function) -> Callable[[Function], Function]:
    decorator: Callable[[Function], Function] = extending.overload(declared, jit_options=INLINED)
    return decorator


@extending.overload_method(FieldType, "get", jit_options=INLINED, strict=False)  # type: ignore[untyped-decorator]
def _get(field: Any, state: Any, index: Any = 0) -> Any:
    return lambda field, state, index=0: _taken(field, state, index)


@extending.overload_method(FieldType, "set", jit_options=INLINED, strict=False)  # type: ignore[untyped-decorator]
def _set(field: Any, state: Any, first: Any, second: Any = None) -> Any:
    if field.is_array:
        return lambda field, state, first, second=None: _replaced(field, state, first, second)
    return lambda field, state, first, second=None: _replaced(field, state, 0, first)


def _taken(field: Any, state: Any, index: Any) -> Any:
    """Return the value of a field of a packed state."""


def _replaced(field: Any, state: Any, index: Any, value: Any) -> Any:
    """Return a packed state with another value of a field; an array is changed, and nothing is returned."""


@_inlined(_taken)
def _take(field: Any, state: Any, index: Any) -> Any:
    _check(field, state)
    word, shift, bits, mask = field.word, field.shift, field.bits, field.mask
    first, step, per_word = field.first, field.step, field.per_word

    def take(field: Any, state: Any, index: Any) -> Any:
        around = np.uint64(index) // per_word
        place = shift + bits * (np.uint64(index) - around * per_word)
        return first + step * np.int64((_word(state, word + np.int64(around)) >> place) & mask)

    return take


@_inlined(_replaced)
def _replace(field: Any, state: Any, index: Any, value: Any) -> Any:
    _check(field, state)
    word, shift, bits, mask = field.word, field.shift, field.bits, field.mask
    first, step, per_word = field.first, field.step, field.per_word

    def replace(field: Any, state: Any, index: Any, value: Any) -> Any:
        around = np.uint64(index) // per_word
        place, at = shift + bits * (np.uint64(index) - around * per_word), word + np.int64(around)
        number = np.uint64((np.int64(value) - first) // step)
        return _with_word(state, at, (_word(state, at) & ~(mask << place)) | (number << place))

    return replace


def _check(field: FieldType, state: Any) -> None:
    """Raise Numba's `TypingError` for what can't be a packed state with that field."""
    if not isinstance(state, types.Array | types.Integer):
        raise TypingError(
            f"a field is read of a packed state, an integer or an array of words; this is {state}"
        )
    if isinstance(state, types.Integer) and (field.word or field.per_word <= WORD):
        raise TypingError("this field is of a layout of several words: its states are arrays of them")


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
