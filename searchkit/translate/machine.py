"""From assembly to machine code, by LLVM, which llvmlite brings (Numba needs it too)."""

import ctypes
from contextlib import suppress
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from searchkit.errors import SearchkitError

LIBRARY = ("sin", "cos", "tan", "atan", "atan2", "exp", "pow")
"""Functions of the C library that machine code may call."""


@cache
def _processor() -> tuple[str, str]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in LIBRARY:  # LLVM does not look into libraries that only a module of Python was linked with
        with suppress(AttributeError, OSError, TypeError):
            function = getattr(ctypes.CDLL(None), name)
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    features = llvm.get_host_cpu_features()
    # Copies by registers of 64 bytes took some hundred times as long in half of the processes of an AMD EPYC.
    narrow = ",-avx512f" if features.get("avx512f") else ""
    return llvm.get_host_cpu_name(), features.flatten() + narrow


def _target() -> Any:
    """Return a new description of this machine: an engine owns the one that it is made with."""
    name, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(cpu=name, features=features, opt=2)


def has_symbol(name: str) -> bool:
    """Whether machine code can call a function of the C library."""
    _processor()
    return llvm.address_of_symbol(name) is not None


class AssemblyError(SearchkitError):
    """LLVM refuses what was generated: a fault of the translator."""


class Machine:
    """The machine code of a module of assembly. It lives as long as this object.

    Raises `AssemblyError` if LLVM refuses the text.
    """

    def __init__(self, text: str):
        try:
            module = llvm.parse_assembly(text)
            module.verify()
        except RuntimeError as error:
            raise AssemblyError(f"LLVM refuses the machine code of this problem: {error}") from None
        target = _target()
        # More takes a third longer, for no faster code.
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        options.loop_vectorization = False
        builder = llvm.create_pass_builder(target, options)
        builder.getModulePassManager().run(module, builder)
        self.engine = llvm.create_mcjit_compiler(module, target)
        self.engine.finalize_object()
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        kind = ctypes.CFUNCTYPE(number, pointer, number, *[pointer] * 4, number)
        self.check = kind(self.address("check"))
        """Calls the functions for some states: see `searchkit.translate.program.CHECK`."""
        where = ctypes.CFUNCTYPE(ctypes.c_void_p)(self.address("flagged"))()
        self.failure: Any = np.ctypeslib.as_array((ctypes.c_int64 * 1).from_address(where))
        """Array of one number: why the code stopped, 0 while it has not."""

    def stopped_at(self, words: int) -> int:
        """Return the packed state for which the code stopped."""
        where = ctypes.CFUNCTYPE(ctypes.c_void_p)(self.address("stopped_at"))()
        found = (ctypes.c_uint64 * words).from_address(where)
        return sum(int(word) << 64 * place for place, word in enumerate(found))

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self.engine.get_function_address(name))
