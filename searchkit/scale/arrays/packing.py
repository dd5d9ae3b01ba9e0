"""Sorted states in fewer bytes: the differences between neighbours, in as many bits as the largest of a frame takes.

A frame has 128 numbers (Lemire and Boytsov 2015, without their vector instructions). Of states of several words, the
words that count most are packed in this way, and the others without differences.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.scale.arrays.sorting import ascends

FRAME = 128
_FRAME, ZERO, ONE, WHOLE = np.uint64(FRAME), np.uint64(0), np.uint64(1), np.uint64(64)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
BLOCK = 1 << 15
"""The most states that are packed together."""


@kernel
def _pack(values: Any, differences: Any, widths: Any, out: Any) -> Any:
    """Write the width of each frame, and the numbers; return how many words were written."""
    size, before, end = np.uint64(values.size), ZERO, ZERO
    if differences:
        before = values[0]
    for frame in range(np.uint64(widths.size)):
        first = frame * _FRAME
        last = min(first + _FRAME, size)
        used, previous = ZERO, before
        for place in range(first, last):
            used |= values[place] - previous
            if differences:
                previous = values[place]
        width = ZERO
        while width < WHOLE and used >> width != ZERO:
            width += ONE
        widths[frame] = width
        if width == ZERO:
            continue
        filled, word, previous = ZERO, ZERO, before
        for place in range(first, last):
            value = values[place] - previous
            if differences:
                previous = values[place]
            word |= value << filled
            filled += width
            if filled >= WHOLE:
                out[end] = word
                end += ONE
                filled -= WHOLE
                word = (value >> ONE) >> (width - filled - ONE) if filled > ZERO else ZERO
        before = previous
        if filled > ZERO:
            out[end] = word
            end += ONE
    return end


@kernel
def _unpack(values: Any, differences: Any, first: Any, widths: Any, words: Any) -> None:
    """Read numbers. The widths were checked, and `words` has two words more than the frames take.

    A number is read from two words; those of a last frame without bits come after all others.
    """
    size, before, begin = np.uint64(values.size), np.uint64(first), ZERO
    for frame in range(np.uint64(widths.size)):
        start = frame * _FRAME
        count = min(_FRAME, size - start)
        width = np.uint64(widths[frame])
        mask = ALL >> (WHOLE - width) if width > ZERO else ZERO
        for number in range(count):
            at = number * width
            word, shift = begin + (at >> np.uint64(6)), at & np.uint64(63)
            value = ((words[word] >> shift) | ((words[word + ONE] << ONE) << (np.uint64(63) - shift))) & mask
            if differences:
                before += value
                values[start + number] = before
            else:
                values[start + number] = value
        begin += (count * width + np.uint64(63)) >> np.uint64(6)


def pack(states: Any) -> Any:
    """Return an array of uint64 words for a sorted array of different states, up to `BLOCK` of them."""
    columns = states.reshape(len(states), -1)
    frames = -(-len(states) // FRAME)
    pieces = []
    for column in range(columns.shape[1] - 1, -1, -1):
        values = np.ascontiguousarray(columns[:, column])
        widths = np.zeros(-(-frames // 8) * 8, np.uint8)
        out = np.empty(len(states) + 1, np.uint64)
        leading = column == columns.shape[1] - 1
        count = int(_pack(values, leading, widths[:frames], out))
        if leading:
            pieces.append(values[:1])
        pieces += [widths.view(np.uint64), out[:count]]
    return np.concatenate(pieces)


def unpack(words: Any, count: int, width: int, out: Any) -> bool:
    """Write `count` packed states of `width` words each to `out`; return False if the words are not such states.

    Nothing outside of the arrays is read or written, whatever the words are. What was written is sorted and has no
    duplicates if the result is True.
    """
    frames = -(-count // FRAME)
    sizes = np.full(frames, FRAME, np.int64)
    sizes[-1] = count - (frames - 1) * FRAME
    header = -(-frames // 8)
    columns = out.reshape(count, -1)
    at = 1
    for column in range(width - 1, -1, -1):
        widths = words[at : at + header].view(np.uint8)[:frames]
        at += header
        if len(widths) < frames or widths.max() > 64:
            return False
        used = int(((sizes * widths + 63) >> 6).sum())
        if at + used > len(words):
            return False
        data = words[at : at + used + 2]
        if len(data) < used + 2:
            data = np.append(data, np.zeros(2, np.uint64))
        values = out if width == 1 else np.empty(count, np.uint64)
        leading = column == width - 1
        _unpack(values, leading, words[0] if leading else ZERO, widths, data)
        if width > 1:
            columns[:, column] = values
        at += used
    return at == len(words) and ascends(out)
