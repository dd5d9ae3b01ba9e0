"""The values of a search as bytes, and back: pickles in which a file can name nothing but data.

A pickle may call what it names. These may name one function, `make`, which makes values of a few known types and of
classes that the modules of the problem and of the engine define or import, if these have nothing but attributes.
Nothing is imported, and no constructor runs: the attributes are set, or given to `__setstate__` of a class that defines
it, as for `pickle`.

Objects that are compared by identity, such as the nodes of a tree, are made empty. Their attributes follow after the
values in which they occur, so that they may refer to each other, and form chains of any length.
"""

import pickle
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from types import FunctionType, MethodType
from typing import Any, NoReturn, cast

from attrs import frozen
from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit.basics.instances import CACHED_HASH, attributes, consists_of_attributes, slots
from searchkit.errors import SavingError, shortened
from searchkit.plugin.specs import EngineSpec
from searchkit.result import Solution
from searchkit.tree import SearchTree

NOT_SAVED = frozenset({"arrivals", "listener", "poll"})
"""Slots of a tree that belong to the process."""
FACTORIES: dict[str, Any] = {"None": None, **{of.__name__: of for of in (list, set, dict, int, float, deque)}}
"""What a `defaultdict` may make."""
IMMUTABLE: dict[Any, Callable[[Any], Any]] = {
    tuple: tuple,
    frozenset: frozenset,
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
}
"""Types from which classes may be derived → the function that returns a value without its class."""
MUTABLE: dict[Any, Callable[[Any, Any], None]] = {
    dict: dict.update,
    list: list.extend,
    set: set.update,
    deque: deque.extend,
}
"""The same for containers → the method that fills one."""
BATCH = 10_000
"""So many objects are filled by one pickle."""
WIDEST = 80
"""The most characters of a value that a message shows."""


@frozen
class Form:
    """How the values of one class are written and made again."""

    name: str
    take: Callable[[Any], Any]
    """Returns what a value consists of."""
    make: Callable[[Any], Any]
    """Makes a value of that; an empty object of None, if there is `fill`."""
    fill: Callable[[Any, Any], object] | None = None
    """Fills an object."""


def make(name: str, content: object) -> NoReturn:
    """Stand in files for the function that makes a value; `Reader` provides it."""
    raise NotImplementedError


def _fill_tree(tree: Any, content: dict[str, Any]) -> None:
    for name in content.keys() - NOT_SAVED:
        setattr(tree, name, content[name])


def _items(container: Any) -> list[Any]:
    if getattr(container, "key", None) is not None:
        raise SavingError(f"the search can't be saved: a {type(container).__name__} with a key function")
    return list(container.items() if isinstance(container, dict) else container)


BASIC: dict[type, Form] = {
    Fraction: Form("Fraction", lambda value: value.as_integer_ratio(), lambda parts: Fraction(*parts)),
    Decimal: Form("Decimal", str, Decimal),
    complex: Form("complex", lambda value: (value.real, value.imag), lambda parts: complex(*parts)),
    range: Form("range", lambda value: (value.start, value.stop, value.step), lambda parts: range(*parts)),
    type(...): Form("Ellipsis", lambda value: None, lambda content: ...),
    deque: Form("deque", lambda value: (list(value), value.maxlen), lambda parts: deque(*parts)),
    Counter: Form("Counter", dict, Counter),
    defaultdict: Form(
        "defaultdict",
        lambda value: (getattr(value.default_factory, "__name__", "None"), dict(value)),
        lambda parts: defaultdict(FACTORIES[parts[0]], parts[1]),
    ),
    **{of: Form(of.__name__, _items, of) for of in (OrderedDict, SortedDict, SortedList, SortedSet)},
    SearchTree: Form(
        "SearchTree",
        lambda tree: {name: getattr(tree, name) for name in SearchTree.__slots__ if name not in NOT_SAVED},
        lambda content: SearchTree(),
        _fill_tree,
    ),
}
"""The types that any search may hold, in addition to those that `pickle` knows by itself."""
BY_NAME = {form.name: form for form in BASIC.values()}


class Classes:
    """The classes whose values a search may hold: decided by the problem and the engine, never by a file.

    Args:
        problem: the problem; its modules are those of its class, of its base classes, and of its attributes.
        spec: the engine.

    """

    def __init__(self, problem: object, spec: EngineSpec):
        self._forms: dict[type, Form | None] = dict(BASIC)
        held = getattr(problem, "__dict__", {}).values()
        problems = [problem, *(value for value in held if hasattr(value, "initial_states"))]
        own = {base.__module__ for one in problems for base in type(one).__mro__} | {spec.run.__module__}
        own |= {str(value.__module__) for value in held if isinstance(value, FunctionType | MethodType)}
        modules = {name for name in own if name.partition(".")[0] not in sys.stdlib_module_names}
        packages = {name.partition(".")[0] for name in modules} - {"searchkit"}
        prefixes = {f"{name}." for name in packages}
        if spec.run.__module__.startswith("searchkit.engines."):
            prefixes.add("searchkit.engines.")
        self._modules, self._prefixes = (
            modules - {"searchkit.problem"} | ({"__main__"} & own),
            tuple(prefixes),
        )
        known: list[Any] = [*type(problem).__mro__, Solution, *map(type, held)]
        for module in self._modules & sys.modules.keys():
            known += [value for value in vars(sys.modules[module]).values() if isinstance(value, type)]
        self._known = {_name(of): of for of in known}

    def form(self, of: type) -> Form | None:
        """Return the form of a class; None if no search may hold its values."""
        if of not in self._forms:
            self._forms[of] = _form(of, self.has(of.__module__)) if self._named(_name(of)) is of else None
        return self._forms[of]

    def form_named(self, name: str) -> Form | None:
        """Return the form of the class that a file calls so; None if there is none."""
        of = None if name in BY_NAME else self._named(name)
        return BY_NAME.get(name) if of is None else self.form(of)

    def has(self, module: str) -> bool:
        """Whether a module is one of the problem or the engine, or is in their packages."""
        return module in self._modules or f"{module}.".startswith(self._prefixes)

    def _named(self, name: str) -> type | None:
        module, _, path = name.partition(":")
        found: Any = self._known.get(name)
        if found is None and self.has(module):
            found = sys.modules.get(module)
            for part in path.split("."):
                found = getattr(found, "__dict__", {}).get(part)
        return found if isinstance(found, type) else None


def _name(of: type) -> str:
    return f"{of.__module__}:{of.__qualname__}"


def _form(of: Any, is_own: bool) -> Form | None:
    """Return the form of a class; None if its instances can't be made from what they consist of.

    `is_own` says whether the problem or the engine defines the class, so that its `__setstate__` may be called.
    """
    name = _name(of)
    if issubclass(of, Enum):
        members, composite = of.__members__, issubclass(of, Flag)
        return Form(
            name,
            lambda value: value.name if value.name in members else (value.value,),
            lambda content: of(*content) if composite and isinstance(content, tuple) else members[content],
        )
    if hasattr(of, "__del__"):
        return None
    base: Any = next((base for base in (*IMMUTABLE, *MUTABLE) if issubclass(of, base)), None)
    if base in IMMUTABLE:
        return Form(
            name,
            lambda value: (IMMUTABLE[base](value), dict(attributes(value))),
            lambda parts: _with(base.__new__(of, parts[0]), parts[1]),
        )
    if base is not None and of.__new__ is not base.__new__:
        return None
    if base is not None:
        return Form(
            name,
            lambda value: (list(value.items() if base is dict else value), dict(attributes(value))),
            lambda content: base.__new__(of),
            lambda value, parts: MUTABLE[base](_with(value, parts[1]), parts[0]),
        )
    if not consists_of_attributes(of):
        return None
    take: Callable[[Any], Any] = _attributes(of)
    fill: Callable[[Any, Any], Any] = _with
    if hasattr(of, "__setstate__") and is_own:
        take, fill = of.__getstate__, _with_state
    if of.__hash__ in (object.__hash__, None):  # the object itself is meant, and not what it consists of
        return Form(name, take, lambda content: object.__new__(of), fill)
    return Form(name, take, lambda content: fill(object.__new__(of), content))


def _attributes(of: type) -> Callable[[Any], Any]:
    """Return the function that returns the attributes of an instance, without a hash of this process."""
    caches_hash = CACHED_HASH in getattr(getattr(of.__hash__, "__code__", None), "co_names", ())
    return (lambda value: {**dict(attributes(value)), CACHED_HASH: None}) if caches_hash else _attribute_dict


def _attribute_dict(value: Any) -> dict[str, Any]:
    return dict(attributes(value))


def _with_state(value: Any, state: Any) -> Any:
    """Let a class set what its `__getstate__` has returned; return the value."""
    if state is not None:
        value.__setstate__(state)
    return value


def _with(value: Any, content: dict[str, Any]) -> Any:
    """Set the attributes of a value, whatever its class does when they are set; return the value."""
    own = slots(type(value))
    for name, part in content.items():
        if name in own or (name == CACHED_HASH and not hasattr(value, "__dict__")):
            object.__setattr__(value, name, part)
        else:
            value.__dict__[name] = part
    return value


class Writer(pickle.Pickler):
    """Writes values to a file.

    Args:
        file: a file that is open for writing.
        classes: the classes of the problem and the engine.
        problem: the problem, which a value may hold; it is not written.
        tree: the tree of the search.
        skipped: slots of this tree that are not written.

    """

    def __init__(
        self,
        file: Any,
        classes: Classes,
        problem: object,
        tree: SearchTree[Any, Any],
        skipped: Collection[str] = (),
    ):
        super().__init__(file, 5)
        self._classes, self._problem, self._tree, self._skipped = classes, problem, tree, skipped
        self._objects: list[tuple[Any, Form]] = []
        """The objects that are not filled yet."""
        self._numpy: Any = ()
        if "numpy" in sys.modules:
            numpy = sys.modules["numpy"]
            self._numpy = (numpy.ndarray, numpy.generic)

    def write(self, value: object) -> None:
        """Write a value. Raises `SavingError` if it holds something that has no form in files."""
        try:
            self.dump(value)
            while self._objects:
                batch, self._objects = self._objects[:BATCH], self._objects[BATCH:]
                self.dump([self._content(of, form) for of, form in batch])
        except RecursionError:
            raise SavingError(
                "the search can't be saved: a value is nested too deeply, or contains itself"
            ) from None

    def _content(self, value: Any, form: Form) -> Any:
        content = form.take(value)
        if value is self._tree:
            content = {name: part for name, part in content.items() if name not in self._skipped}
        return content

    def reducer_override(self, value: Any) -> Any:
        """Return how a value is made again that `pickle` does not know by itself."""
        if value is make:
            return NotImplemented
        if value is self._problem:
            return make, ("problem", None)
        form = BASIC[SearchTree] if value is self._tree else self._classes.form(type(value))
        if form is not None:
            if form.fill is None:
                return make, (form.name, form.take(value))
            self._objects.append((value, form))
            return make, (form.name, None)
        if isinstance(value, self._numpy) and value.dtype.kind in "biufcSUmM":
            return make, ("numpy", (value.dtype.str, value.shape, value.tobytes(), value.ndim == 0))
        of = type(value)
        raise SavingError(
            f"the search can't be saved: {shortened(repr(value), WIDEST)} is of type "
            f"{of.__module__}.{of.__qualname__}; "
            "expected numbers, texts, containers of them, and instances of classes that the module of the problem "
            "defines or imports"
        )


class Reader(pickle.Unpickler):
    """Reads values from a file, which may be anybody's.

    Args:
        file: a file that is open for reading.
        classes: the classes of the problem and the engine.
        problem: the problem.

    """

    def __init__(self, file: Any, classes: Classes, problem: object):
        super().__init__(file)
        objects: list[tuple[Any, Form]] = []
        trees: list[SearchTree[Any, Any]] = []

        def made(name: str, content: Any) -> Any:
            if name == "problem":
                return problem
            if name == "numpy":
                return _array(*content)
            form = classes.form_named(name)
            if form is None:
                raise pickle.UnpicklingError(f"{name!r} is not a class of the problem or the engine")
            value = trees.pop() if name == "SearchTree" and trees else form.make(content)
            if form.fill is not None:
                objects.append((value, form))
            return value

        self.trees = trees
        """What the next tree in the file becomes; empty for a new one."""
        self._objects, self._made = objects, made

    def read(self) -> Any:
        """Return the next value. Raises anything if the file is not what `Writer` wrote."""
        value = self.load()
        while self._objects:
            batch = self._objects[:BATCH]
            del self._objects[:BATCH]
            for (made, form), content in zip(batch, cast("Collection[Any]", self.load()), strict=True):
                cast("Callable[[Any, Any], object]", form.fill)(made, content)
        return value

    def find_class(self, module: str, name: str) -> Any:
        """Return the one function that a file may name."""
        if (module, name) != (make.__module__, make.__name__):
            raise pickle.UnpicklingError(f"it names {module}.{name}, and a saved search names only data")
        return self._made


def _array(dtype: str, shape: Any, content: bytes, is_scalar: bool) -> Any:
    import numpy as np

    array = np.frombuffer(content, np.dtype(str(dtype))).reshape(shape)
    return array[()] if is_scalar else array.copy()
