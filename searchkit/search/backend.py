"""Engines as machine code, and when `auto` begins again with one.

`auto` begins in Python. If the search turns out to be long (`auto.restart_pays`), it waits until a thread has imported
Numba and made the kernel. What is not compiled yet is compiled by another process, while the search continues in
Python. Nothing moves from Python to machine code: the kernel starts from the beginning, because it repeats in
milliseconds what Python did in half a second, and the tree of Python is dropped. Both expand the same states in the
same order, so that counters and limits of expansions mean the same.
"""

import atexit
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from searchkit.compiled.cache import NotCompiledError, Request, no_compiling
from searchkit.compiled.compiler import compile_here, compiler
from searchkit.errors import MissingExtraError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.search.auto import compiled_run
from searchkit.search.diagnosis import explain
from searchkit.search.limits import LimitReached, addresses_left, resident_memory
from searchkit.tree import SearchTree

COLD_SECONDS, WARM_SECONDS = 0.3, 0.02
"""How long a search runs in Python before it begins again as machine code: about what importing Numba takes, and what
making a kernel takes if Numba is imported.

So it never takes more than about twice the time of the better choice, whenever it ends (the ski-rental argument:
Karlin, Manasse, Rudolph and Sleator 1988).
"""
WAIT_SECONDS = 0.02
"""How long `advance` waits for a kernel that is not ready."""
MAKING_SECONDS = 1.0
"""How long Python waits for the thread that imports Numba and makes the kernel."""
LEAVE_SECONDS = 2.0
"""How long the end of the program waits for a thread that imports Numba."""
ADDRESS_SPACE = 1_500_000_000
"""Bytes of address space for Numba, LLVM and the arrays of a small search: with less, LLVM ends the process."""
_making = threading.Lock()
"""Held while a kernel is imported and made: an import that fails in one thread makes it fail in others that wait."""
_quick: set[tuple[str, type]] = set()
"""Kernels and classes of problems that were made before, so that making them again needs no thread."""


class Work(threading.Thread):
    """A function that is called in a thread, so that limits and Ctrl-C take effect meanwhile."""

    def __init__(self, call: Callable[[], Any]):
        super().__init__(name="searchkit", daemon=True)
        self.call, self.begun = call, perf_counter()
        self._result: Any = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Call the function, and keep what it returns or raises."""
        try:
            self._result = self.call()
        except BaseException as error:
            self._error = error

    def done(self, seconds: float) -> bool:
        """Wait for at most so many seconds; return whether the function has returned or raised."""
        self.join(seconds)
        return not self.is_alive()

    def result(self) -> Any:
        """Return what the function returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._result


class KernelEngine:
    """A kernel at work on a tree, with the interface of `driver.PythonEngine`.

    Args:
        problem: what is searched.
        spec: the engine.
        options: its options.
        tree: the tree that the kernel writes.
        required: whether the search waits for it, because it can't go on in Python.

    """

    backend = "compiled"

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        spec: EngineSpec,
        options: Mapping[str, Any],
        tree: SearchTree[Any, Any],
        *,
        required: bool,
    ):
        self.problem, self.spec, self.options, self.tree = problem, spec, options, tree
        self.required = required
        self.kernel: Any = None
        """The `KernelRun`; None while it is being made."""
        self.state: Any = None
        """The state to be expanded next; after the end, the last one before; None before the beginning."""
        self.memory: float | None = None
        """The largest resident memory of this process, in MB, that the kernel may cause."""
        self._missing: Request | None = None
        """The function that is being compiled, and for which the kernel waits."""
        self._requested: set[Request] = set()
        self._work: Work | None = None

    @property
    def ended(self) -> bool:
        """Whether a goal was found or every state was seen."""
        return self.kernel is not None and bool(self.kernel.ended)

    @property
    def is_making(self) -> bool:
        """Whether a thread imports Numba or makes the kernel: Python, which would hold it up, waits for a second."""
        return self._work is not None and perf_counter() - self._work.begun < MAKING_SECONDS

    @property
    def ready(self) -> bool:
        """Whether it stands at the state to be expanded next, or has ended. If not, `advance(0)` goes there."""
        return self.kernel is not None and bool(self.kernel.settled or self.kernel.ended)

    def advance(self, most: int) -> None:
        """Expand up to `most` states, for a few milliseconds at most, and count them in the tree.

        Raises:
            LimitReached: an array can't grow within the limit of memory, or of the machine.
            InexactError: the kernel can't calculate with a number of the problem: the search has to begin in Python.
            MissingCapabilityError, MissingExtraError: this problem, or this machine, has no machine code.
            InvalidProblemError: as engines in Python.

        """
        if self._waits() or (self.kernel is None and not self._made()):
            return
        kernel = self.kernel
        kernel.spare = None if self.memory is None else partial(_spare, self.memory)
        try:
            with no_compiling():
                self.tree.expanded += kernel.advance(most)
        except NotCompiledError as error:
            self._missing = error.request
        except MemoryError as error:
            limited = self.memory is not None and str(error)
            what = f"the limit of {self.memory} MB of memory" if limited else "the memory of this machine"
            raise LimitReached(what) from error
        except SearchkitError:
            raise
        except Exception as error:  # a member of the problem was called, for an error or a warning
            state = kernel.state if kernel.asked is None else kernel.asked
            raise explain(self.problem, self.spec, self.tree, state, error) from error
        finally:
            if not kernel.ended:
                self.state = kernel.state

    def write_to(self, tree: SearchTree[Any, Any]) -> None:
        """Replace what a tree holds by what this kernel has found, and write there from now on."""
        tree.copy_from(self.tree)
        self.tree = self.kernel.tree = tree
        self.required = True

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Make the kernel that has saved this. What is not compiled yet is compiled at once."""
        import_kernels(self.spec)
        fresh: SearchTree[Any, Any] = SearchTree()
        kernel = compiled_run(self.problem, fresh, self.spec, self.options)
        kernel.restore(saved)
        self._take(kernel)

    def _made(self) -> bool:
        """Import the kernel and make it, in a thread if that may take long; return whether that is done."""
        if self._work is None and not self._is_quick():
            self._work = Work(self._make)
        work, make = self._work, self._make
        if work is not None:
            if not work.done(WAIT_SECONDS if self.required or self.is_making else 0):
                return False
            self._work, make = None, work.result
        try:
            self._take(make())
        except NotCompiledError as error:
            self._missing = error.request
            return False
        _quick.add((self.spec.kernel, type(self.problem)))
        return True

    def _take(self, kernel: Any) -> None:
        """Let a kernel that was made for another tree write to this one."""
        self.kernel = kernel
        self.tree.copy_from(kernel.tree)
        kernel.tree = self.tree
        if not kernel.ended:
            self.state = kernel.state

    def _is_quick(self) -> bool:
        """Whether a kernel for this class of problems was made before."""
        return (self.spec.kernel, type(self.problem)) in _quick

    def _make(self) -> Any:
        with _making, no_compiling():
            import_kernels(self.spec)
            tree: SearchTree[Any, Any] = SearchTree()  # a new one: it may have to be made again
            kernel = compiled_run(self.problem, tree, self.spec, self.options)
            if not kernel.ended and kernel.quick_paths and not self._is_quick():
                state = kernel.state  # what results and observers call is loaded here, or compiled elsewhere
                if state in tree.reached:
                    kernel.underestimates(tree.trail(state), [])
            return kernel

    def _waits(self) -> bool:
        """Whether the kernel needs a function that is not compiled yet: another process does that, or else a thread."""
        missing, seconds = self._missing, WAIT_SECONDS if self.required else 0
        if missing is None:
            return False
        if self._work is not None:
            if not self._work.done(seconds):
                return True
            work, self._work = self._work, None
            work.result()
        else:
            again = missing in self._requested  # it was compiled, but can't be loaded
            try:
                if again:
                    raise MissingExtraError(f"compiled code in {missing.file} can't be loaded")
                if not compiler.wait(missing, seconds):
                    return True
            except MissingExtraError:
                if not self.required:
                    raise
                self._work = Work(partial(compile_here, missing))
                return True
            self._requested.add(missing)
        self._missing = None
        return False


def import_kernels(spec: EngineSpec) -> None:
    """Import the compiled form of an engine. Raises `MissingExtraError` if that fails for any reason."""
    if "numba" not in sys.modules and (left := addresses_left()) is not None and left < ADDRESS_SPACE:
        raise MissingExtraError(
            f"machine code needs {ADDRESS_SPACE / 1e6:.0f} MB of addresses, and the limit of this process leaves "
            f"{left / 1e6:.0f} MB; raise it (ulimit -v), or use backend='python'"
        )
    try:
        import_module(spec.kernel.partition(":")[0])
    except (NotCompiledError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if find_spec("numba") is None:
            raise
        cause = error.__cause__ if isinstance(error, MissingExtraError) and error.__cause__ else error
        raise MissingExtraError(
            f"machine code can't be used: importing Numba failed ({type(cause).__name__}: {cause}); install it again "
            "with: pip install --force-reinstall numba; or use backend='python'"
        ) from error


def _spare(most: float) -> float:
    """Return how many bytes the process may still take if `most` is the limit of its resident memory, in MB."""
    return max(0.0, (most - resident_memory()) * 1e6)


@atexit.register
def _wait_for_imports() -> None:
    """Wait for threads that import Numba: one that runs while Python ends may crash it."""
    for thread in threading.enumerate():
        if isinstance(thread, Work):
            thread.join(LEAVE_SECONDS)
