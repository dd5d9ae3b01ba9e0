"""Values as bytes: the objects that they consist of, each once, parts before wholes, and then the values themselves.

What is alike is written together, as columns (`searchkit.scale.saved.columns`). A record begins with a letter:

    C class      its name; its number is how many were before it
    T tuples     class, amount, length, one column for each place
    t tuples     class, amount, lengths, one column with all parts
    Z frozensets amount, lengths, parts
    E members    class, amount, names
    e members    class, amount, values, for those without a name
    V values     class, amount, names of attributes, one column for each: instances that are compared by these
    H encoded    amount, what `encode_state` of the problem returned
    A empty      class, amount, of deques the greatest lengths: objects that are filled later, so that they may hold
                 each other
    L fill       first number, amount, lengths, parts: list, set, deque, sorted container
    D fill       first number, amount, lengths, keys, values: dictionary
    O fill       first number, amount, names of attributes, one column for each: instances
    R result     amount, one column

Objects are numbered in the order of these records. Before the first one, there are those that both sides have.
"""

from collections.abc import Generator, Sequence
from itertools import chain, count
from operator import attrgetter, itemgetter
from typing import Any

from searchkit.basics.instances import attributes
from searchkit.errors import SavingError, shortened
from searchkit.problem import EncodesStates
from searchkit.scale.saved.columns import ATOMS, HIGHEST, Output, write_column, write_number, write_text
from searchkit.scale.saved.vocabulary import Form, Vocabulary
from searchkit.tree import SearchTree

Requests = Generator[Sequence[Any], None, None]
WIDEST = 80
"""The most characters of a value that a message shows."""
ADVICE = (
    "give the problem the methods encode_state and decode_state, which make such a value of known ones and back "
    "(searchkit.EncodesStates)"
)
BUILTIN_TUPLE = Form(tuple, "tuple", "builtins:tuple", tuple)


def encode(values: Sequence[Any], vocabulary: Vocabulary, known: Sequence[Any] = ()) -> Output:
    """Return values as bytes.

    Args:
        values: numbers, texts, containers, and instances of classes in the vocabulary, nested as they like.
        vocabulary: the classes.
        known: objects that are not written, because whoever reads the bytes has them too.

    Raises:
        SavingError: a part of the values is of another class, and the problem has no `encode_state` for it.

    """
    encoder = Encoder(vocabulary, known)
    encoder.enter(values)
    encoder.out += b"R"
    write_number(encoder.out, len(values))
    write_column(encoder.out, values, encoder.numbers)
    return encoder.out


class Encoder:
    """The bytes so far, and the numbers of the objects in them."""

    def __init__(self, vocabulary: Vocabulary, known: Sequence[Any]):
        self.vocabulary = vocabulary
        self.out = Output()
        self.numbers: dict[int, int] = {}
        """The `id` of an object → its number."""
        self._classes: dict[str, int] = {}
        self._alive: list[Any] = []
        """Objects that nobody else may hold: while they exist, no other one has their ids."""
        self._number(known)
        problem = vocabulary.problem
        self._hook = problem.encode_state if isinstance(problem, EncodesStates) else None
        self._hooked: set[type] = set()
        if self._hook is not None:
            self._hooked = set(map(type, problem.initial_states())) - {*ATOMS, tuple, frozenset}  # type: ignore[attr-defined]

    def enter(self, values: Sequence[Any]) -> None:
        """Write all objects among the values, with all that they consist of."""
        waiting, written = [self._enter(values)], [0]
        while waiting:
            parts = next(waiting[-1], None)
            if parts is None:
                waiting.pop()
                written.pop()
                continue
            waiting.append(self._enter(parts))
            written.append(len(self.numbers))
            if len(waiting) > HIGHEST and written[-HIGHEST] == written[-1]:
                raise SavingError(
                    f"the search can't be saved: a value that never changes is nested more than {HIGHEST:,} deep, or "
                    f"contains itself; {ADVICE}"
                )

    def _enter(self, values: Sequence[Any]) -> Requests:
        """Yield the parts of the new objects among the values, and write the objects when their parts are written."""
        kinds = set(map(type, values))
        if kinds <= ATOMS:
            return
        objects = (
            values if kinds.isdisjoint(ATOMS) else [value for value in values if type(value) not in ATOMS]
        )
        found = dict(zip(map(id, objects), objects, strict=True))
        if not self.numbers.keys().isdisjoint(found):
            found = {key: value for key, value in found.items() if key not in self.numbers}
        groups: dict[Any, list[Any]] = {}
        for value in found.values():
            groups.setdefault(type(value), []).append(value)
        for kind, group in groups.items():
            group = self._unwritten(group)  # parts of groups before it may be written
            if kind is tuple:
                yield from self._enter_tuples(BUILTIN_TUPLE, group)
            elif group:
                yield from self._enter_others(group)

    def _enter_others(self, group: list[Any]) -> Requests:
        """Write objects of one class, which is not `tuple`."""
        form = None if type(group[0]) in self._hooked else self.vocabulary.form_of(group[0])
        if form is None:
            yield from self._enter_by_hook(group)
        elif form.kind == "tuple":
            yield from self._enter_tuples(form, group)
        elif form.kind == "frozenset":
            yield list(chain.from_iterable(group))
            self._write_frozensets(self._unwritten(group))
        elif form.kind == "enum":
            yield from self._enter_members(form, group)
        elif form.kind in ("value", "object"):
            for names, alike in _by_names(form, group).items():
                yield from self._enter_instances(form, names, alike)
        else:
            yield from self._enter_containers(form, group)

    def _enter_tuples(self, form: Form, group: list[Any]) -> Requests:
        for length, alike in _by_length(group).items():
            if form.has_dict and any(map(vars, alike)):
                raise self._unknown(alike[0])
            if length > len(alike):
                yield list(chain.from_iterable(alike))
            else:
                for place in range(length):
                    yield list(map(itemgetter(place), alike))
        rest = self._unwritten(group)
        for length, alike in _by_length(rest).items():
            if length > len(alike):
                self._begin(b"t", form, len(alike))
                write_column(self.out, list(map(len, alike)), self.numbers)
                write_column(self.out, list(chain.from_iterable(alike)), self.numbers)
            else:
                self._begin(b"T", form, len(alike))
                write_number(self.out, length)
                self.out.values += 0 if length else len(alike)
                for place in range(length):
                    write_column(self.out, list(map(itemgetter(place), alike)), self.numbers)
            self._number(alike)

    def _write_frozensets(self, group: list[Any]) -> None:
        self.out += b"Z"
        write_number(self.out, len(group))
        write_column(self.out, list(map(len, group)), self.numbers)
        write_column(self.out, list(chain.from_iterable(group)), self.numbers)
        self._number(group)

    def _enter_members(self, form: Form, group: list[Any]) -> Requests:
        named = [value for value in group if form.of.__members__.get(value.name) is value]
        others = [value for value in group if form.of.__members__.get(value.name) is not value]  # of a Flag
        for kind, members, attribute in ((b"E", named, "name"), (b"e", others, "value")):
            if members:
                column = list(map(attrgetter(attribute), members))
                yield column
                rest = self._unwritten(members)
                self._begin(kind, form, len(rest))
                write_column(self.out, list(map(attrgetter(attribute), rest)), self.numbers)
                self._number(rest)

    def _enter_instances(self, form: Form, names: tuple[str, ...], group: list[Any]) -> Requests:
        """Write instances that have the same attributes."""
        group, first = self._unwritten(group), len(self.numbers)
        if form.is_filled_later:
            self._begin(b"A", form, len(group))
            self.out.values += len(group)
            self._number(group)
        for name in names:
            yield _column(form, name, group)
        if form.is_filled_later:
            self.out += b"O"
            write_number(self.out, first)
            write_number(self.out, len(group))
        else:
            self._check_hashes(form, names, group)
            group = self._unwritten(group)
            self._begin(b"V", form, len(group))
            self.out.values += 0 if names else len(group)
        write_number(self.out, len(names))
        for name in names:
            write_text(self.out, name)
            write_column(self.out, _column(form, name, group), self.numbers)
        if not form.is_filled_later:
            self._number(group)

    def _check_hashes(self, form: Form, names: tuple[str, ...], group: list[Any]) -> None:
        """Raise `SavingError` if instances keep their hash, which may be another one in the next process."""
        for name in names:
            if "hash" in name.lower() and _column(form, name, group) == list(map(hash, group)):
                raise self._unknown(
                    group[0], f"keeps its hash in {name!r}, which is another one in other processes"
                )

    def _enter_containers(self, form: Form, group: list[Any]) -> Requests:
        first = len(self.numbers)
        if any(_has_more(form, value) for value in group):
            raise self._unknown(group[0])
        self._begin(b"A", form, len(group))
        if form.kind == "deque":
            write_column(
                self.out, [-1 if value.maxlen is None else value.maxlen for value in group], self.numbers
            )
        self._number(group)
        pairs = issubclass(form.of, dict)
        columns = [list(chain.from_iterable(group))]
        if pairs:
            columns.append(list(chain.from_iterable(value.values() for value in group)))
        for column in columns:
            yield column
        self.out += b"D" if pairs else b"L"
        write_number(self.out, first)
        write_number(self.out, len(group))
        write_column(self.out, list(map(len, group)), self.numbers)
        for column in columns:
            write_column(self.out, column, self.numbers)

    def _enter_by_hook(self, group: list[Any]) -> Requests:
        if self._hook is None:
            raise self._unknown(group[0])
        encoded = {id(value): self._encoded(value) for value in group}
        self._alive.append(encoded)
        yield list(encoded.values())
        group = self._unwritten(group)
        self.out += b"H"
        write_number(self.out, len(group))
        write_column(self.out, [encoded[id(value)] for value in group], self.numbers)
        self._number(group)

    def _encoded(self, value: Any) -> Any:
        assert self._hook is not None
        try:
            encoded = self._hook(value)
        except Exception as error:
            raise SavingError(
                f"{type(self.vocabulary.problem).__name__}.encode_state({shortened(repr(value))}) raised "
                f"{type(error).__name__}: {error}"
            ) from error
        if type(encoded) is type(value):
            raise self._unknown(value, "is what encode_state returned for it again")
        return encoded

    def _begin(self, kind: bytes, form: Form, amount: int) -> None:
        """Write the beginning of a record about instances of a class."""
        number = self._classes.get(form.name)
        if number is None:
            number = self._classes[form.name] = len(self._classes)
            self.out += b"C"
            write_text(self.out, form.name)
        self.out += kind
        write_number(self.out, number)
        write_number(self.out, amount)

    def _unwritten(self, group: list[Any]) -> list[Any]:
        """Return the objects that have not been written as parts of one another."""
        numbers = self.numbers
        if numbers.keys().isdisjoint(map(id, group)):
            return group
        return [value for value in group if id(value) not in numbers]

    def _number(self, objects: Sequence[Any]) -> None:
        self.numbers.update(zip(map(id, objects), count(len(self.numbers)), strict=False))

    def _unknown(self, value: Any, why: str = "is of a class that has no form in files") -> SavingError:
        """Return the error for an object that can't be written."""
        problem, of = self.vocabulary.problem, type(value)
        return SavingError(
            f"the search can't be saved: {shortened(repr(value), WIDEST)} ({of.__module__}.{of.__qualname__}) {why}. "
            f"Known are numbers, texts, containers, enums, named tuples, and instances with attributes of classes that "
            f"the modules of {type(problem).__name__} and of the engine {self.vocabulary.spec.name!r} define; {ADVICE}"
        )


def _by_length(group: list[Any]) -> dict[int, list[Any]]:
    lengths = set(map(len, group))
    if len(lengths) == 1:
        return {lengths.pop(): group}
    found: dict[int, list[Any]] = {}
    for value in group:
        found.setdefault(len(value), []).append(value)
    return found


def _by_names(form: Form, group: list[Any]) -> dict[tuple[str, ...], list[Any]]:
    """Group instances by the names of the attributes that they have."""
    found: dict[tuple[str, ...], list[Any]] = {}
    for value in group:
        names = tuple(name for name, _ in attributes(value) if not (name == "poll" and form.of is SearchTree))
        found.setdefault(names, []).append(value)
    return found


def _column(form: Form, name: str, group: list[Any]) -> list[Any]:
    """Return the values of an attribute of instances that have it."""
    if name in form.slots:
        return list(map(attrgetter(name), group))
    return [vars(value)[name] for value in group]


def _has_more(form: Form, value: Any) -> bool:
    """Whether a container has something that its items do not say."""
    if form.kind == "sorted":
        return getattr(value, "key", None) is not None
    return any(True for _ in attributes(value))
