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
import operator
import sys
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec
from typing import Any

PythonCode = Callable[..., Any]


class NotTranslatedError(BaseException):
    """Machine code can't do what Python does here, and stops: no `except Exception` of the problem catches it.

    With a text, what is written there can't be translated at all, and that is the reason.
    """


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


def numbered(items, number):
    """Do what `enumerate` does."""
    for item in items:
        yield number, item
        number += 1


@does(itertools.chain)
def _chain(*parts):
    for part in parts:
        yield from part


@does(itertools.chain.from_iterable)
def _flat(parts):
    for part in parts:
        yield from part


@does(itertools.starmap)
def _starmap(function, rows):
    for row in rows:
        yield function(*row)


@does(itertools.repeat)
def _repeat(item, times):
    for _ in range(times):
        yield item


@does(itertools.takewhile)
def _takewhile(test, items):
    for item in items:
        if not test(item):
            return
        yield item


@does(itertools.dropwhile)
def _dropwhile(test, items):
    has_begun = False
    for item in items:
        has_begun = has_begun or not test(item)
        if has_begun:
            yield item


@does(itertools.islice)
def _islice(items, first, stop=..., step=1):
    start, end = (0, first) if stop is ... else (first, stop)
    for place, item in enumerate(items):
        if end is not None and place >= end:
            return
        if place >= start and (place - start) % step == 0:
            yield item


@does(itertools.accumulate)
def _accumulate(iterable, func=operator.add, *, initial=None):
    total = initial
    if initial is not None:
        yield initial
    for item in iterable:
        total = item if total is None else func(total, item)
        yield total


@does(itertools.groupby)
def _groupby(iterable, key=None):
    parts, begin = tuple(iterable), 0
    for place in range(1, len(parts) + 1):
        first = parts[begin] if key is None else key(parts[begin])
        if place == len(parts) or first != (parts[place] if key is None else key(parts[place])):
            yield first, (part for part in parts[begin:place])
            begin = place


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


def product_of(sources):
    """Yield what `product(*sources)` does, of any number of sources: count with a digit for each."""
    pools = [tuple(source) for source in sources]
    places = [0 for _ in pools]
    digit = 0 if all(pools) else -1
    while digit >= 0:
        yield tuple(pools[i][places[i]] for i in range(len(pools)))
        digit = len(pools) - 1
        while digit >= 0 and places[digit] == len(pools[digit]) - 1:
            places[digit] = 0
            digit -= 1
        if digit >= 0:
            places[digit] += 1


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
        raise NotTranslatedError
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
    """Return the columns of some sequences, as `zip(*rows)` does."""
    size = min((len(row) for row in rows), default=0)
    return tuple(tuple(row[place] for row in rows) for place in range(size))


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


@does(heapq.nsmallest)
def _nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(0, n)]


@does(heapq.nlargest)
def _nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(0, n)]


@does(dict.fromkeys)
def _fromkeys(keys, value=None):
    made = {}
    for key in keys:
        made[key] = value
    return made


@does(math.hypot)
def _hypot(*sides):
    if any(isinstance(side, float) for side in sides):
        raise NotTranslatedError("Python rounds the exact root; write (x * x + y * y) ** 0.5")
    total = sum(side * side for side in sides)
    if total >> 53:
        raise NotTranslatedError  # a square root of an exact sum is the exact root, rounded
    return math.sqrt(total)


@does(math.radians)
def _radians(degrees):
    return degrees * (math.pi / 180)


@does(math.dist)
def _dist(one, other):
    return math.hypot(*(a - b for a, b in zip(one, other, strict=True)))


@does(math.isqrt)
def _isqrt(number):
    if number < 0:
        raise ValueError
    root = int(math.sqrt(number))  # which may be rounded up
    return root - 1 if root * root > number else root


@does(math.gcd)
def _gcd(one, other):
    while other:
        one, other = other, one % other
    return abs(one)


def _in_python(name, accelerator):
    """Return a module of Python's library without what is written in C, so that it can be translated."""
    modules: dict[str, Any] = sys.modules
    spec: Any = find_spec(name)
    module, before = module_from_spec(spec), modules.get(accelerator)
    modules[accelerator] = None
    try:
        spec.loader.exec_module(module)
    finally:
        del modules[accelerator]
        if before is not None:
            modules[accelerator] = before
    return module


_heaps, _bisection = _in_python("heapq", "_heapq"), _in_python("bisect", "_bisect")
for _name in ("heapify", "heappop", "heappush", "heappushpop", "heapreplace"):
    FUNCTIONS[getattr(heapq, _name)] = getattr(_heaps, _name)
for _name in ("bisect_left", "bisect_right", "insort_left", "insort_right"):
    FUNCTIONS[getattr(bisect, _name)] = getattr(_bisection, _name)


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


@method("text", "rfind")
def _rfind(self, part):
    for place in range(len(self) - len(part), -1, -1):
        if self[place : place + len(part)] == part:
            return place
    return -1


@method("text", "rindex")
def _rindex(self, part):
    return _checked(self.rfind(part))


def _checked(place):
    if place < 0:
        raise ValueError
    return place


@method("text", "index")
def _index_of_part(self, part, start=0, stop=None):
    return _checked(self.find(part, start, stop))


@method("text", "count")
def _count_parts(self, part):
    found, place = 0, self.find(part)
    while place >= 0:
        found += 1
        place = self.find(part, place + max(1, len(part)))
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
    if not old:
        if count >= 0:
            raise NotTranslatedError
        return new + "".join(letter + new for letter in self)
    if len(old) == 1 and count < 0:
        return "".join(new if letter == old else letter for letter in self)
    done, place = self[:0], 0
    while count and (at := self.find(old, place)) >= 0:
        done, place, count = done + self[place:at] + new, at + len(old), count - 1
    return done + self[place:]


@method("text", "strip")
def _strip(self, letters=None):
    return self.lstrip(letters).rstrip(letters)


@method("text", "lstrip")
def _lstrip(self, letters=None):
    begin = 0
    while begin < len(self) and _is_in(self[begin], letters):
        begin += 1
    return self[begin:]


@method("text", "rstrip")
def _rstrip(self, letters=None):
    end = len(self)
    while end > 0 and _is_in(self[end - 1], letters):
        end -= 1
    return self[:end]


def _is_in(letter, letters):
    return letter.isspace() if letters is None else letter in letters


@method("text", "split")
def _split(self, separator=None):
    begin, parts = 0, []
    if separator is None:
        for place in range(len(self) + 1):
            if place == len(self) or self[place].isspace():
                if begin < place:
                    parts.append(self[begin:place])
                begin = place + 1
        return parts
    if not separator:
        raise ValueError
    for place in range(len(self)):
        if place >= begin and self[place : place + len(separator)] == separator:
            parts.append(self[begin:place])
            begin = place + len(separator)
    parts.append(self[begin:])
    return parts


def integer(text):
    """Return the integer that a text is, in decimal digits."""
    digits, total = text.strip(), 0
    is_negative = digits[:1] == "-"
    if is_negative or digits[:1] == "+":
        digits = digits[1:]
    if not digits:
        raise ValueError
    for digit in digits:
        if digit == "_":
            raise NotTranslatedError
        total = 10 * total + int(digit)
    return -total if is_negative else total


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
    for place, item in zip(tuple(range(len(self)))[start:stop:step], parts, strict=True):
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


def merged(one, other):
    """Return `one | other` of dicts."""
    made = dict(one)
    made.update(other)
    return made


def combine(made, name, one, other):
    """Add to a set what an operator on two others gives."""
    for item in one:
        if name == "BitOr" or (item in other) == (name == "BitAnd"):
            made.add(item)
    if name in ("BitOr", "BitXor"):
        for item in other:
            if name == "BitOr" or item not in one:
                made.add(item)


# -- dicts


@method("dict", "setdefault")
def _setdefault(self, key, default=None):
    if key not in self:
        self[key] = default
    return self[key]


def add_missing(self, key, factory):
    """Add a key to a defaultdict before it is read."""
    if key not in self:
        self[key] = factory()


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
def _add_counts(self, source=()):
    for key, number in source.items() if hasattr(source, "items") else [(key, 1) for key in source]:
        self[key] += number
