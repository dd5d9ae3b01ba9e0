"""The classes whose instances a saved search may hold: decided by the problem and the engine, never by the file."""

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cached_property
from types import FunctionType, MethodType, ModuleType
from typing import Any

from attrs import frozen
from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit.basics.instances import CACHED_HASH, consists_of_attributes, slots
from searchkit.plugin.specs import EngineSpec
from searchkit.result import Solution
from searchkit.tree import SearchTree

OWN = "searchkit.engines"
"""Of searchkit itself, only engines bring classes."""
RECORDED = "searchkit.trace."
"""Containers of a recorded search are written as what they are without the recording."""
FACTORIES = (list, set, dict, int, float, deque, tuple)
"""What a `defaultdict` may make."""
BASIC: tuple[type, ...] = (
    tuple,
    frozenset,
    list,
    dict,
    set,
    deque,
    Counter,
    OrderedDict,
    SortedDict,
    SortedList,
    SortedSet,
    SearchTree,
    Solution,
)


@frozen
class Form:
    """How instances of a class are written and made again."""

    of: Any
    kind: str
    """`tuple`, `frozenset`, `enum`, or `value` (compared by its attributes): made when all its parts are there.
    `list`, `dict`, `set`, `deque`, `sorted` or `object`: made empty, and filled later, so that it may hold itself."""
    name: str
    """What the file calls it."""
    make: Callable[[], Any]
    """Returns an empty instance. Runs no code of the class."""
    slots: tuple[str, ...] = ()
    has_dict: bool = False
    caches_hash: bool = False

    @property
    def is_filled_later(self) -> bool:
        """Whether an instance is made empty."""
        return self.kind not in ("tuple", "frozenset", "enum", "value")


class Vocabulary:
    """The forms of the classes that a problem and an engine bring: those that their modules and packages define.

    Args:
        problem: the problem; its modules are those of its class, of its base classes, and of its attributes.
        spec: the engine.

    """

    def __init__(self, problem: object, spec: EngineSpec):
        self.problem, self.spec = problem, spec
        self._forms: dict[type, Form | None] = {}
        self._basic = {_name(of): of for of in BASIC}

    def form_of(self, value: object) -> Form | None:
        """Return the form of a value's class; None if no saved search may hold it."""
        of = type(value)
        while of.__module__.startswith(RECORDED) and of.__base__ is not None:
            of = of.__base__
        if of is defaultdict:
            return _default_dict(value.default_factory)  # type: ignore[attr-defined]
        if of not in self._forms:
            self._forms[of] = _form(of) if self._class(_name(of)) is of else None
        return self._forms[of]

    def form_named(self, name: str) -> Form | None:
        """Return the form of the class that a file calls by this name; None if there is none."""
        for factory in (None, *FACTORIES):
            form = _default_dict(factory)
            if form is not None and form.name == name:
                return form
        of = self._class(name)
        return None if of is None else _form(of)

    def _class(self, name: str) -> type | None:
        return self._basic.get(name) or self._classes.get(name)

    @cached_property
    def _classes(self) -> dict[str, type]:
        """The classes that are not basic, by name."""
        found: dict[str, type] = {}
        for of in self._brought():
            found.setdefault(_name(of), of)
        return found

    def _brought(self) -> Iterator[type]:
        for module, is_their_own in self._modules():
            for value in list(vars(module).values()):
                if isinstance(value, type) and (is_their_own or value.__module__ == module.__name__):
                    yield value
                    yield from _nested(value)
        for base in type(self.problem).__mro__:
            yield base
            yield from _nested(base)

    def _modules(self) -> Iterator[tuple[ModuleType, bool]]:
        """Yield modules of the problem and the engine, and whether what a module has imported counts too.

        It does in the modules of their own classes and functions, but not in the rest of a package: a large package
        may import anything.
        """
        names = {base.__module__ for base in type(self.problem).__mro__}
        for value in getattr(self.problem, "__dict__", {}).values():
            of = value if isinstance(value, FunctionType | MethodType) else type(value)
            names.add(str(of.__module__))
        names |= {self.spec.run.__module__, self.spec.kernel.partition(":")[0]}
        own = {name for name in names if name.partition(".")[0] == "searchkit"}
        prefixes = {f"{OWN}."} if any(name.startswith(OWN) for name in own) else set()
        for name in names - own:
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names:
                prefixes.add(f"{top}.")
        wanted = names - own
        for name, module in sorted(sys.modules.items()):
            belongs = name in wanted or any(f"{name}.".startswith(prefix) for prefix in prefixes)
            if belongs and isinstance(module, ModuleType) and name not in ("builtins", "typing", "abc"):
                yield module, name in wanted


def _nested(of: type) -> Iterable[type]:
    return [value for value in vars(of).values() if isinstance(value, type)]


def _name(of: type) -> str:
    return f"{of.__module__}:{of.__qualname__}"


def _default_dict(factory: Any) -> Form | None:
    if factory is not None and factory not in FACTORIES:
        return None
    name = "None" if factory is None else factory.__name__
    return Form(defaultdict, "dict", f"collections:defaultdict({name})", lambda: defaultdict(factory))


def _form(of: type) -> Form | None:
    """Return the form of a class that the problem or the engine brings, or of a basic one; None if it has none."""
    name = _name(of)
    if issubclass(of, Enum):
        return Form(of, "enum", name, of)
    if hasattr(of, "__del__"):
        return None
    if of in (SortedDict, SortedList, SortedSet):
        return Form(of, "sorted", name, of)
    if of is frozenset:
        return Form(of, "frozenset", name, frozenset)
    base: Any = next((base for base in (tuple, dict, list, set, deque) if issubclass(of, base)), None)
    if base is not None and _adds_methods_only(of, base):
        return Form(of, base.__name__, name, lambda: base.__new__(of), **_attributes(of))
    if not consists_of_attributes(of):
        return None
    by_identity = of.__hash__ in (object.__hash__, None)
    kind = "object" if by_identity else "value"
    return Form(of, kind, name, lambda: object.__new__(of), **_attributes(of))


def _adds_methods_only(of: type, base: type) -> bool:
    """Whether the instances of a subclass of a container are made like those of the container."""
    if base is tuple:
        return True  # `tuple.__new__` makes it, whatever its own `__new__` does
    return of is base or getattr(of.__new__, "__self__", None) in of.__mro__


def _attributes(of: type) -> dict[str, Any]:
    has_dict = of.__dictoffset__ != 0
    return {
        "slots": slots(of),
        "has_dict": has_dict,
        "caches_hash": CACHED_HASH in getattr(getattr(of.__hash__, "__code__", None), "co_names", ()),
    }
