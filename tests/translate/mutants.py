"""The translator with one planted defect each: its own source with one change, imported anew in a child process."""

import importlib
import multiprocessing
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any

from attrs import frozen

ANEW = ("searchkit.translate", "tests.translate.trial", "tests.translate.test_constructs")
"""What is imported anew."""


@frozen
class Mutant:
    """A change of a module of `searchkit.translate`, and the construct whose test finds it."""

    module: str
    old: str
    new: str
    construct: str


MUTANTS = {
    "// rounds towards zero": Mutant(
        "arithmetic",
        """quotient = t.op(f"sub i64 {cut}, {t.op(f'zext i1 {down} to i64')}")""",
        "quotient = cut",
        "floor division",
    ),
    "% has the sign of the dividend": Mutant(
        "arithmetic", "{t.op(f'select i1 {down}, i64 {safe}, i64 0')}", "0", "remainder"
    ),
    "an overflow goes on": Mutant(
        "arithmetic",
        """    t.fail_if(Bool(t.op(f"extractvalue {{i{width}, i1}} {pair}, 1")), OVERFLOW)\n""",
        "",
        "product",
    ),
    "a slice ends one later": Mutant(
        "sequences",
        "last = end if _is_none(stop) else clipped(t, stop, size, least, most)",
        """last = end if _is_none(stop) else clipped(t, arithmetic(t, "Add", stop, Known(1)), size, least, most)""",
        "slice by a state 1",
    ),
    "a dict is read backwards": Mutant(
        "mutables",
        "        at = entry(t, value, t.integer(i))\n        alive",
        """        i = arithmetic(t, "Sub", Int(0, capacity, t.op(f"sub i64 {used.ssa}, 1")), i)
        at = entry(t, value, t.integer(i))
        alive""",
        "order of a dict",
    ),
    "max is min": Mutant(
        "library",
        """max: partial(_extreme, "Gt", prelude.FUNCTIONS[max])""",
        """max: partial(_extreme, "Gt", prelude.FUNCTIONS[min])""",
        "max takes the first of equals",
    ),
    "an index is not checked": Mutant(
        "sequences",
        """    t.fail_if(Bool(t.op(f"icmp uge i64 {ssa}, {t.integer(size)}")), RAISED, IndexError)\n""",
        "",
        "index 2",
    ),
    "the outer handler is asked first": Mutant(
        "emitter", "in reversed(self.handlers)", "in self.handlers", "nested exceptions of one kind"
    ),
    "division by zero goes on": Mutant(
        "arithmetic",
        """        t.fail_if(Bool(t.op(f"icmp eq i64 {y}, 0")), RAISED, ZeroDivisionError)\n""",
        "",
        "division by zero 0",
    ),
}


class Planted(SourceFileLoader):
    """Loads a module after a change of its source."""

    def __init__(self, name: str, path: str, mutant: Mutant):
        super().__init__(name, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """Return the code."""
        source = self.get_source(fullname)
        assert source is not None
        return compile(source.replace(self.mutant.old, self.mutant.new), self.path, "exec")


class Finder:
    """Finds the module that has a defect."""

    def __init__(self, mutant: Mutant):
        self.mutant, self.name = mutant, f"searchkit.translate.{mutant.module}"

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return the module with its defect."""
        if name != self.name:
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        found = find_spec(name)
        assert found is not None
        assert found.origin is not None
        return spec_from_file_location(name, found.origin, loader=Planted(name, found.origin, self.mutant))


def _find(name: str, answer: Any) -> None:
    """Send what a test says of a mutant: "" for nothing."""
    mutant = MUTANTS[name]
    for module in [each for each in sys.modules if each.startswith(ANEW)]:
        del sys.modules[module]
    sys.meta_path.insert(0, Finder(mutant))  # type: ignore[arg-type]
    trial = importlib.import_module("tests.translate.trial")
    tests = importlib.import_module("tests.translate.test_constructs")
    try:
        trial.agree(*{**tests.CONSTRUCTS, **tests.OVERFLOWS}[mutant.construct])
        answer.send("")
    except Exception as error:
        answer.send(f"{type(error).__name__}: {error}")


def found(name: str) -> str:
    """Return what the test of a construct says of a mutant."""
    mutant = MUTANTS[name]
    spec = find_spec(f"searchkit.translate.{mutant.module}")
    source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    assert source.count(mutant.old) == 1, f"{mutant.module} has not once: {mutant.old}"
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_find, args=(name, there), daemon=True)
    process.start()
    there.close()
    try:
        said: str = here.recv()
    except EOFError:
        said = "the process crashed"
    process.join()
    return said
