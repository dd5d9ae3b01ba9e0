"""Machine code run by Python: modules with kernels are executed again with decorators that compile nothing.

So an index outside an array is an `IndexError`, sizes that are constants of machine code can be small, and a test of a
kernel takes milliseconds. Names of other modules mean what they mean elsewhere.
"""

import builtins
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import typeof

from searchkit.compiled.functions import copy_state

type_of: Any = typeof
Function = Callable[..., Any]
interpreted = pytest.mark.skipif(
    np.__version__.startswith("1."),
    reason="numpy 1 makes a float of a uint64 and an int, as machine code never does",
)
"""Marks a test of machine code that is run by Python."""
MACHINE_CODE = (
    r"searchkit\.(kernels|compiled\.kit)(\.|$)"
    r"|searchkit_\w+\.(\w+\.)*compiled(\.|$)"
)
"""The modules that are executed again; `searchkit.compiled` itself, and what makes machine code, are not."""


class Variants:
    """What `searchkit.compiled.variants.Variants` does, for a call by Python."""

    def __init__(self, declared: Function, chosen_by: tuple[str, ...]):
        names = declared.__code__.co_varnames
        self.places, self.name = [names.index(name) for name in chosen_by], declared.__name__
        self.tried: list[tuple[tuple[Any, ...], Function]] = []
        self.chosen: dict[tuple[type, ...], Function] = {}

    def __call__(self, *arguments: Any) -> Any:
        given = tuple([type(arguments[place]) for place in self.places])
        if given not in self.chosen:
            kinds = [
                kind if hasattr(kind, "_fields") else type(type_of(arguments[place]))
                for kind, place in zip(given, self.places, strict=True)
            ]
            self.chosen[given] = next(
                each for wanted, each in self.tried if all(map(issubclass, kinds, wanted))
            )
        return self.chosen[given](*arguments)

    def when(self, *kinds: Any) -> Callable[[Function], Function]:
        """Add a variant."""
        return lambda variant: self.tried.append((kinds, variant)) or variant  # type: ignore[func-returns-value]


def with_attributes(make: Function) -> Function:
    """Let a function of numpy make records whose fields are attributes, as they are in machine code."""

    def made(*arguments: Any, **others: Any) -> Any:
        array = make(*arguments, **others)
        return array if array.dtype.names is None else array.view(np.recarray)

    return made


def not_compiled(function: Function) -> Function:
    """Return a function as it is: what decorators of machine code do here."""
    return function


class Interpreted:
    """Modules that are executed by Python, each of them once.

    Args:
        constants: by the name of a module, what to write instead of the values of some of its constants.

    """

    def __init__(self, constants: Mapping[str, Mapping[str, str]] | None = None):
        self.constants = constants or {}
        self.modules: dict[str, ModuleType] = {}
        self.functions: dict[int, Function] = {}
        decorators = ("compiled_function", "sub_kernel", "kernel")
        called = {f"call_{name}": self.call for name in ("expand", "goal", "heuristic")}
        self.instead: dict[str, dict[str, Any]] = {
            "searchkit.compiled.functions": {
                **dict.fromkeys(decorators, not_compiled),
                **called,
                "copy_state": copy_state.py_func,
            },
            "searchkit.compiled.variants": {
                "variants": lambda *chosen_by, returns_arrays=False: (
                    lambda declared: Variants(declared, chosen_by)
                ),
            },
            "searchkit.compiled.inlining": {
                "lowest_bit": lambda word: np.uint64((int(word) & -int(word)).bit_length() - 1),
                "highest_bit": lambda word: np.uint64(int(word).bit_length() - 1),
                "bits_set": lambda word: np.uint64(int(word).bit_count()),
                "prefetch": lambda array, index: None,
            },
        }

    def call(self, address: int, *arguments: Any) -> Any:
        """Call the function of a view by its address."""
        return self.functions[address](*arguments)

    def know(self, *functions: Any) -> None:
        """Let machine code call functions of a view, which are compiled: here their source is run."""
        self.functions |= {each.address: each.__wrapped__ for each in functions}

    def module(self, name: str) -> Any:
        """Return a module, executed by Python."""
        if name not in self.modules:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            source = Path(spec.origin).read_text()
            for constant, value in self.constants.get(name, {}).items():
                source, found = re.subn(rf"(?m)^{constant} = .*$", f"{constant} = {value}", source)
                assert found == 1, f"{name} has no constant {constant}"
            made = self.modules[name] = ModuleType(name)
            own = {**vars(builtins), "__import__": self._import}
            vars(made).update(__builtins__=own, __file__=spec.origin, __package__=spec.parent)
            exec(compile(source, spec.origin, "exec"), vars(made))
        return self.modules[name]

    def _import(
        self, name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0
    ) -> Any:
        found = builtins.__import__(name, names, local, wanted, level)
        if name == "numpy" and not wanted:
            return NUMPY
        if not wanted or level:
            return found
        if name in self.instead:
            return changed(found, self.instead[name])
        parts = {each for each in wanted if isinstance(getattr(found, each, None), ModuleType)}
        again = {each for each in parts if re.match(MACHINE_CODE, f"{name}.{each}")}
        if re.match(MACHINE_CODE, name) and parts != set(wanted):
            found = self.module(name)
        return changed(found, {each: self.module(f"{name}.{each}") for each in again})


def changed(module: Any, instead: dict[str, Any]) -> Any:
    """Return a module with other values of some names."""
    if not instead:
        return module
    made = ModuleType(module.__name__)
    vars(made).update({**vars(module), **instead})
    return made


NUMPY: Any = changed(np, {name: with_attributes(getattr(np, name)) for name in ("empty", "zeros")})

SMALL = Interpreted(
    {
        "searchkit.compiled.kit.control": {"FIRST_STEPS, LEAST_STEPS, MOST_STEPS": "3, 1, 16"},
        "searchkit.compiled.kit.records": {"FIRST_ROOM": "4", "NODES_PIECE": "4", "SHORT": "2"},
        "searchkit.kernels.idastar": {"FIRST_DEPTH": "2"},
        "searchkit.kernels.queue": {
            "BUCKETS": "128",
            "DEEP": "np.uint64(3)",
            "GROUPS": "16",
            "AT_ONCE": "np.uint64(4)",
            "MOST_MOVES": "1",
            "FIRST_CAPACITY": "8",
        },
    }
)
"""Engines whose arrays are full after a few entries, and whose steps are so small that a few entries take many."""
