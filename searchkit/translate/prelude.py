"""What Python's library does, written in Python: it is translated like the code of the problem.

`FUNCTIONS` has built-in functions and those of modules, `METHODS` what lists, sets, dicts and texts can do. Whatever is
known before the search is computed by Python itself and never comes here.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: B905 -- `strict` is not translated

import bisect
import functools
import heapq
import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

PythonCode = Callable[..., Any]
FUNCTIONS: dict[Any, PythonCode] = {}
"""A function of Python → what it does."""
METHODS: dict[tuple[str, str], PythonCode] = {}
"""The kind of an object ("list", "set", "dict", "Counter", "sequence") and the name of a method → what it does."""


def does(*functions: Any) -> Callable[[PythonCode], PythonCode]:
    """Register what a function of Python does."""

    def register(code: PythonCode) -> PythonCode:
        FUNCTIONS.update(dict.fromkeys(functions, code))
        return code

    return register


def method(kind: str, name: str) -> Callable[[PythonCode], PythonCode]:
    """Register what a method does."""

    def register(code: PythonCode) -> PythonCode:
        METHODS[kind, name] = code
        return code

    return register


# -- iterators


@does(map)
def _map(function, *sources):
    if len(sources) == 1:
        for item in sources[0]:
            yield function(item)
    else:
        for row in zip(*sources):
            yield function(*row)


@does(filter)
def _filter(function, items):
    for item in items:
        if item if function is None else function(item):
            yield item


@does(itertools.chain)
def _chain(*parts):
    for part in parts:
        yield from part


@does(itertools.chain.from_iterable)
def _flat(parts):
    for part in parts:
        yield from part


@does(itertools.pairwise)
def _pairwise(items):
    parts = tuple(items)
    for i in range(len(parts) - 1):
        yield parts[i], parts[i + 1]


@does(itertools.product)
def _product(*sources, repeat=1):
    yield from _rows(tuple(tuple(source) for source in sources) * repeat)


def _rows(sources):
    if not sources:
        yield ()
    else:
        for item in sources[0]:
            for rest in _rows(sources[1:]):
                yield (item, *rest)


@does(itertools.combinations)
def _combinations(items, r):
    yield from _chosen(_increasing, tuple(items), r)


@does(itertools.permutations)
def _permutations(items, r=None):
    parts = tuple(items)
    yield from _chosen(_distinct, parts, len(parts) if r is None else r)


def _chosen(function, parts, count):
    """Choose a number of elements that may depend on the state: a loop for each of them."""
    if count > 6:
        raise OverflowError
    for number in range(7):
        if number == count:
            yield from function(parts, number)


def _increasing(parts, count, start=0):
    if count == 0:
        yield ()
    else:
        for i in range(start, len(parts)):
            for rest in _increasing(parts, count - 1, i + 1):
                yield (parts[i], *rest)


def _distinct(parts, count, used=()):
    if count == 0:
        yield ()
    else:
        for i in range(len(parts)):
            if i not in used:
                for rest in _distinct(parts, count - 1, (*used, i)):
                    yield (parts[i], *rest)


# -- functions


def transposed(rows):
    """Return the columns of some tuples, as `zip(*rows)` does."""
    if not rows:
        raise ValueError
    return tuple(tuple(row[place] for row in rows) for place in range(len(rows[0])))


@does(min)
def _min(first, *others, key=None, default=...):
    return _least((first, *others) if others else first, key, default, lambda one, other: one < other)


@does(max)
def _max(first, *others, key=None, default=...):
    return _least((first, *others) if others else first, key, default, lambda one, other: one > other)


def _least(items, key, default, is_better):
    best = None
    for item in items:
        rank = item if key is None else key(item)
        if best is None or is_better(rank, best[0]):
            best = rank, item
    if best is not None:
        return best[1]
    if default is ...:
        raise ValueError
    return default


@does(next)
def _next(items, *default):
    for item in items:
        return item
    if default:
        return default[0]
    raise StopIteration


@does(functools.reduce)
def _reduce(function, items, *start):
    if start:
        total = start[0]
        for item in items:
            total = function(total, item)
        return total
    parts = tuple(items)
    total = parts[0]
    for item in parts[1:]:
        total = function(total, item)
    return total


@does(sorted)
def _sorted(items, *, key=None, reverse=False):
    made = list(items)
    made.sort(key=key, reverse=reverse)
    return made


@does(dict.fromkeys)
def _fromkeys(keys, value=None):
    made = {}
    for key in keys:
        made[key] = value
    return made


@does(math.hypot)
def _hypot(*sides):
    total = sum(side * side for side in sides)
    if not isinstance(total, int) or total > 1 << 53:
        raise OverflowError  # Python rounds the exact root, and so does a square root of an exact sum
    return math.sqrt(total)


@does(math.dist)
def _dist(one, other):
    return math.hypot(*(a - b for a, b in zip(one, other, strict=True)))


@does(math.isqrt)
def _isqrt(number):
    if number < 0:
        raise ValueError
    root = int(math.sqrt(number))  # which may be rounded up
    return root - 1 if root * root > number else root


@does(bisect.bisect_left)
def _bisect_left(items, wanted, *, key=None):
    return _place(items, lambda item: (item if key is None else key(item)) < wanted)


@does(bisect.bisect_right)
def _bisect_right(items, wanted, *, key=None):
    return _place(items, lambda item: not wanted < (item if key is None else key(item)))


def _place(items, is_before):
    first, end = 0, len(items)
    while first < end:
        middle = (first + end) // 2
        if is_before(items[middle]):
            first = middle + 1
        else:
            end = middle
    return first


@does(heapq.heappush)
def _heappush(heap, item):
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


@does(heapq.heappop)
def _heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _sift_up(heap, 0)
    return least


@does(heapq.heapify)
def _heapify(heap):
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sift_up(heap, place)


def _sift_down(heap, start, place):
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def _sift_up(heap, start):
    item, place, end = heap[start], start, len(heap)
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


# -- texts, tuples and lists


@method("sequence", "count")
def _count(self, value):
    return sum(item == value for item in self)


@method("sequence", "index")
def _index(self, value, start=0, stop=None):
    first, end = _ends(len(self), start, stop)
    for place, item in enumerate(self):
        if place >= first and (stop is None or place < end) and item == value:
            return place
    raise ValueError


def _ends(size, start, stop):
    """Return the ends of a slice, counted from the start."""
    first = max(0, start + size) if start < 0 else start
    return first, size if stop is None else max(0, stop + size) if stop < 0 else min(stop, size)


def three_way_of_sequences(one, other):
    """Return a number below, equal to or above 0 as a sequence is less than, equal to or greater than another."""
    for item, its in zip(one, other):
        if item != its:
            return -1 if item < its else 1
    return len(one) - len(other)


@method("text", "find")
def _find(self, part, start=0, stop=None):
    length, (first, end) = len(part), _ends(len(self), start, stop)
    for place, letter in enumerate(self):
        if first <= place <= end - length and (letter == part or self[place : place + length] == part):
            return place
    return first if length == 0 and first <= end else -1


@method("text", "count")
def _count_parts(self, part):
    found, place = 0, self.find(part)
    while place >= 0:
        found += 1
        place = self.find(part, place + len(part))
    return found


@method("text", "startswith")
def _startswith(self, affix):
    if isinstance(affix, tuple):
        return any(self.startswith(each) for each in affix)
    return self[: len(affix)] == affix


@method("text", "endswith")
def _endswith(self, affix):
    if isinstance(affix, tuple):
        return any(self.endswith(each) for each in affix)
    return len(affix) <= len(self) and self[len(self) - len(affix) :] == affix


@method("text", "replace")
def _replace(self, old, new, count=-1):
    if not old and count < 0:
        return new + "".join(letter + new for letter in self)
    if len(old) == 1 and count < 0:
        return "".join(new if letter == old else letter for letter in self)
    done, place = self[:0], 0
    while count != 0:
        at = self.find(old, place)
        if at < 0:
            break
        done, place, count = done + self[place:at] + new, at + len(old), count - 1
    return done + self[place:]


SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
"""What `str.strip` removes unless it is told something else."""


def _words(text):
    begin, parts = -1, []
    for place, letter in enumerate(text):
        if letter in SPACES and begin >= 0:
            parts.append(text[begin:place])
            begin = -1
        elif letter not in SPACES and begin < 0:
            begin = place
    if begin >= 0:
        parts.append(text[begin:])
    return parts


@method("text", "split")
def _split(self, separator=None):
    if separator is None:
        return _words(self)
    length, begin, parts = len(separator), 0, []
    if not length:
        raise ValueError
    for place in range(len(self)):
        if place >= begin and self[place : place + length] == separator:
            parts.append(self[begin:place])
            begin = place + length
    parts.append(self[begin:])
    return parts


@method("text", "lstrip")
def _lstrip(self, letters=SPACES):
    first = 0
    while first < len(self) and self[first] in letters:
        first += 1
    return self[first:]


@method("text", "rstrip")
def _rstrip(self, letters=SPACES):
    end = len(self)
    while end > 0 and self[end - 1] in letters:
        end -= 1
    return self[:end]


@method("text", "strip")
def _strip(self, letters=SPACES):
    return self.lstrip(letters).rstrip(letters)


def decimal(number):
    """Return an integer as a text."""
    letters, rest = [], abs(number)
    while rest > 9:
        letters.append("0123456789"[rest % 10])
        rest //= 10
    letters.append("0123456789"[rest])
    if number < 0:
        letters.append("-")
    return "".join(reversed(letters))


def whole_number(text):
    """Return a text of digits as an integer."""
    number, sign = 0, text[:1]
    if not text or text == "-":
        raise ValueError
    for letter in text[1:] if sign in ("-", "+") else text:
        if letter not in "0123456789":
            raise ValueError  # or something that Python can read
        number = 10 * number + "0123456789".index(letter)
    return -number if sign == "-" else number


@method("list", "extend")
def _extend(self, items):
    for item in items:
        self.append(item)


@method("list", "appendleft")
def _appendleft(self, item):
    self.insert(0, item)


@method("list", "popleft")
def _popleft(self):
    return self.pop(0)


@method("list", "insert")
def _insert(self, place, item):
    size = len(self)
    at = max(0, place + size) if place < 0 else min(place, size)
    self.append(item)
    for i in range(size, at, -1):
        self[i], self[i - 1] = self[i - 1], self[i]


@method("list", "remove")
def _remove(self, value):
    del self[self.index(value)]


@method("list", "reverse")
def _reverse(self):
    size = len(self)
    for i in range(size // 2):
        self[i], self[size - 1 - i] = self[size - 1 - i], self[i]


def set_slice(self, start, stop, step, items):
    """Set the elements of a slice: with a step there are as many as before."""
    parts = tuple(items)
    if step is None:
        first, end = _ends(len(self), 0 if start is None else start, stop)
        whole = (*self[:first], *parts, *self[max(first, end) :])
        self.clear()
        self.extend(whole)
        return
    places = tuple(range(len(self)))[start:stop:step]
    if len(places) != len(parts):
        raise ValueError
    for place, item in zip(places, parts):
        self[place] = item


@method("list", "rotate")
def _rotate(self, steps=1):
    parts = tuple(self)
    for i in range(len(parts)):
        self[(i + steps) % len(parts)] = parts[i]


@method("list", "sort")
def _sort(self, *, key=None, reverse=False):
    for i in range(1, len(self)):
        for j in range(i, 0, -1):
            one, other = self[j - 1], self[j]
            if key is not None:
                one, other = key(one), key(other)
            if not (one < other if reverse else other < one):
                break
            self[j], self[j - 1] = self[j - 1], self[j]


# -- sets


@method("set", "update")
def _update(self, *sources):
    for source in sources:
        for item in source:
            self.add(item)


@method("set", "difference_update")
def _difference_update(self, *sources):
    for source in sources:
        for item in source:
            self.discard(item)


@method("set", "intersection_update")
def _intersection_update(self, *sources):
    for source in sources:
        for item in tuple(self):
            if item not in source:
                self.discard(item)


# -- dicts


@method("dict", "setdefault")
def _setdefault(self, key, default=None):
    if key not in self:
        self[key] = default
    return self[key]


@method("dict", "pop")
def _pop(self, key, *default):
    found = self.get(key, *default) if default else self[key]
    if key in self:
        del self[key]
    return found


@method("dict", "update")
def _update_dict(self, source=()):
    for key, value in source.items() if hasattr(source, "items") else source:
        self[key] = value


@method("Counter", "update")
def _add_counts(self, source=(), sign=1):
    for key, number in source.items() if hasattr(source, "items") else [(key, 1) for key in source]:
        self[key] += sign * number


@method("Counter", "subtract")
def _subtract(self, source=()):
    _add_counts(self, source, -1)


@method("Counter", "+")
def _positive(self):
    made: Counter[Any] = Counter()
    for key, number in self.items():
        if number > 0:
            made[key] = number
    return made
