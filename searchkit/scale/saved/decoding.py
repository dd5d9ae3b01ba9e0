"""Bytes back to values: the other side of `searchkit.scale.saved.encoding`, which checks all that it reads.

The bytes may be damaged or made up. Classes come from the vocabulary, and their instances are made without calling
them; every number is checked before it is used; hashes of values are computed only if that ends soon.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, repeat
from operator import add
from typing import Any

from searchkit.basics.instances import CACHED_HASH
from searchkit.errors import InputFormatError, SavingError
from searchkit.problem import EncodesStates
from searchkit.scale.saved.columns import HIGHEST, Reader
from searchkit.scale.saved.vocabulary import Form, Vocabulary

HEAVIEST = 10_000_000
"""Of how many values one may consist, each counted as often as it occurs: its hash takes that long."""


def decode(
    data: Any, vocabulary: Vocabulary, known: Sequence[Any] = (), source: str = "<bytes>"
) -> list[Any]:
    """Return the values from which `encode` made the bytes; `vocabulary` and `known` are its arguments again.

    Raises:
        InputFormatError: the bytes are damaged, or were not made by `encode`.
        SavingError: they hold instances of a class that is not in the vocabulary.

    """
    decoder = Decoder(data, vocabulary, known, source)
    try:
        return decoder.read()
    except (InputFormatError, SavingError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise decoder.reader.wrong(f"{type(error).__name__}: {error}") from error


class Decoder:
    """The objects so far, and the forms of their classes."""

    def __init__(self, data: Any, vocabulary: Vocabulary, known: Sequence[Any], source: str):
        self.vocabulary = vocabulary
        self.reader = Reader(data, source)
        self.objects = self.reader.objects
        self._forms: list[Form] = []
        self._empty: dict[int, Form] = {}
        """The number of each object that is not filled yet → its form."""
        self._add(list(known))
        self._records: dict[bytes, Callable[[], None]] = {
            b"C": self._class,
            b"T": self._tuples,
            b"t": self._long_tuples,
            b"Z": self._frozensets,
            b"E": self._members,
            b"e": self._values_of_members,
            b"V": self._values,
            b"H": self._by_hook,
            b"A": self._make_empty,
            b"L": self._fill_lists,
            b"D": self._fill_dicts,
            b"O": self._fill_instances,
        }

    def read(self) -> list[Any]:
        """Return the values."""
        reader = self.reader
        while (kind := bytes(reader.take(1))) != b"R":
            if kind not in self._records:
                raise reader.wrong(f"a record is unknown: {kind!r}")
            self._records[kind]()
        found, _ = reader.column(reader.count())
        if reader.at != len(reader.data) or self._empty:
            raise reader.wrong("it does not end where it should")
        return found

    def _add(self, objects: list[Any], weights: list[int] | None = None) -> None:
        reader = self.reader
        height = reader.height + 1
        if height > HIGHEST or (weights and max(weights) > HEAVIEST):
            raise reader.wrong("a value is nested too deeply")
        reader.objects += objects
        reader.weights += weights or [1] * len(objects)
        reader.heights += [height] * len(objects)
        reader.height = 0

    def _form(self, *kinds: str) -> Form:
        reader = self.reader
        form = self._forms[reader.number(len(self._forms) - 1)]
        if kinds and form.kind not in kinds:
            raise reader.wrong(f"{form.name} is not written so")
        return form

    def _class(self) -> None:
        name = self.reader.text()
        form = self.vocabulary.form_named(name)
        if form is None:
            raise SavingError(
                f"{self.reader.source}: it holds instances of {name}, which neither the modules of "
                f"{type(self.vocabulary.problem).__name__} nor those of the engine {self.vocabulary.spec.name!r} define"
            )
        self._forms.append(form)

    def _tuples(self) -> None:
        reader, form = self.reader, self._form("tuple")
        amount = reader.count()
        length = reader.number(amount)
        if not length:
            reader.spend(amount)
        weights = [1] * amount
        columns = []
        for _ in range(length):
            column, weighed = reader.column(amount)
            columns.append(column)
            weights = list(map(add, weights, weighed or repeat(1)))
        rows: Any = zip(*columns, strict=True) if length else repeat((), amount)
        made = list(rows) if form.of is tuple else [tuple.__new__(form.of, row) for row in rows]
        self._add(made, weights)

    def _long_tuples(self) -> None:
        form = self._form("tuple")
        rows, weights = self._rows(self.reader.count())
        self._add([tuple.__new__(form.of, row) for row in rows], weights)

    def _frozensets(self) -> None:
        amount = self.reader.count()
        rows, weights = self._rows(amount)
        self._check(max(weights, default=0))
        self._add(list(map(frozenset, rows)), weights)

    def _rows(self, amount: int) -> tuple[list[list[Any]], list[int]]:
        """Return so many rows of values of different lengths, and their weights."""
        reader = self.reader
        lengths = reader.lengths(amount)
        values, weighed = reader.column(sum(lengths))
        found = iter(values)
        rows = [list(islice(found, length)) for length in lengths]
        if weighed is None:
            return rows, [1 + length for length in lengths]
        weights = iter(weighed)
        return rows, [1 + sum(islice(weights, length)) for length in lengths]

    def _check(self, weight: int) -> None:
        """Raise `InputFormatError` if values are too large or too deep for their hashes to be computed."""
        if weight > HEAVIEST or self.reader.height > HIGHEST:
            raise self.reader.wrong("a value is nested too deeply")

    def _members(self) -> None:
        form = self._form("enum")
        names, _ = self.reader.column(self.reader.count())
        self._add([form.of.__members__[name] for name in names])

    def _values_of_members(self) -> None:
        form = self._form("enum")
        values, _ = self.reader.column(self.reader.count())
        self._add([form.of(value) for value in values])

    def _values(self) -> None:
        form, amount = self._form("value"), self.reader.count()
        left = self.reader.left
        objects = [form.make() for _ in range(amount)]
        weights = self._set_attributes(form, objects)
        if self.reader.left == left:  # they have no attributes
            self.reader.spend(amount)
        self._add(objects, weights)

    def _set_attributes(self, form: Form, objects: list[Any]) -> list[int]:
        """Read the attributes of instances of one class, and set them; return the weights."""
        reader, amount = self.reader, len(objects)
        weights = [1] * amount
        for _ in range(reader.number(10_000)):
            name = reader.text()
            column, weighed = reader.column(amount)
            weights = list(map(add, weights, weighed or repeat(1)))
            if name in form.slots:
                for _ in map(object.__setattr__, objects, repeat(name), column):
                    pass
            elif form.has_dict:
                for value, part in zip(objects, column, strict=True):
                    value.__dict__[name] = part
            else:
                raise reader.wrong(f"{form.name} has no attribute {name}")
        if form.caches_hash:
            for value in objects:
                object.__setattr__(value, CACHED_HASH, None)
        return weights

    def _by_hook(self) -> None:
        problem = self.vocabulary.problem
        encoded, _ = self.reader.column(self.reader.count())
        if not isinstance(problem, EncodesStates):
            raise SavingError(
                f"{self.reader.source}: it holds states that {type(problem).__name__}.decode_state has to make, and "
                "there is no such method"
            )
        try:
            found = [problem.decode_state(value) for value in encoded]
        except Exception as error:
            raise SavingError(
                f"{self.reader.source}: {type(problem).__name__}.decode_state raised {type(error).__name__}: {error}"
            ) from error
        self._add(found)

    def _make_empty(self) -> None:
        reader, form = self.reader, self._form()
        amount = reader.count()
        if not form.is_filled_later:
            raise reader.wrong(f"{form.name} is not written so")
        reader.spend(amount)
        if form.kind == "deque":
            most = reader.ints(amount, -1)
            made = [form.of((), None if length == -1 else length) for length in most]
        else:
            made = [form.make() for _ in range(amount)]
        self._empty.update(zip(range(len(self.objects), len(self.objects) + amount), repeat(form)))
        self._add(made)

    def _unfilled(self, *kinds: str) -> tuple[list[Any], Form | None]:
        """Return the objects that a record fills, and their form."""
        reader = self.reader
        first, amount = reader.number(len(self.objects)), reader.count()
        forms = {
            self._empty.pop(number, None) for number in range(first, min(first + amount, len(self.objects)))
        }
        form = forms.pop() if forms else None
        if (
            forms
            or (amount and (form is None or form.kind not in kinds))
            or first + amount > len(self.objects)
        ):
            raise reader.wrong("an object is filled that is not empty")
        return self.objects[first : first + amount], form

    def _fill_lists(self) -> None:
        objects, _ = self._unfilled("list", "set", "deque", "sorted")
        rows, weights = self._rows(len(objects))
        self._check(max(weights, default=0))
        self.reader.height = 0
        for value, row in zip(objects, rows, strict=True):
            if isinstance(value, list):
                list.extend(value, row)
            elif isinstance(value, set):
                set.update(value, row)
            elif isinstance(value, dict):
                raise self.reader.wrong("a dictionary has no values")
            else:
                (value.update if hasattr(value, "update") else value.extend)(row)

    def _fill_dicts(self) -> None:
        objects, _ = self._unfilled("dict", "sorted")
        reader = self.reader
        lengths = reader.lengths(len(objects))
        size = sum(lengths)
        keys, weights = reader.column(size)
        self._check(max(weights or [1], default=0))
        values, _ = reader.column(size)
        reader.height = 0
        pairs = zip(keys, values, strict=True)
        for value, length in zip(objects, lengths, strict=True):
            self._fill_dict(value, islice(pairs, length))

    def _fill_dict(self, value: Any, pairs: Iterator[tuple[Any, Any]]) -> None:
        if isinstance(value, OrderedDict):
            for key, part in pairs:
                OrderedDict.__setitem__(value, key, part)
        elif isinstance(value, dict) and not hasattr(value, "peekitem"):
            dict.update(value, pairs)
        elif isinstance(value, dict):
            value.update(pairs)
        else:
            raise self.reader.wrong("a list has keys")

    def _fill_instances(self) -> None:
        objects, form = self._unfilled("object")
        if form is not None:
            self._set_attributes(form, objects)
        self.reader.height = 0
