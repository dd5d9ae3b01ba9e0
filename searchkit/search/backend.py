"""Engines as machine code, and when `auto` begins again with one.

`auto` begins in Python. If the search turns out to be long (`auto.COLD_SECONDS`), a thread imports Numba and makes the
kernel, and what is not compiled yet is compiled by another process, while the search continues in Python. Nothing moves
from Python to machine code: the kernel starts from the beginning, because it repeats in milliseconds what Python did
before, and the tree of Python is dropped. Both expand the same states in the same order, so that counters
and limits of expansions mean the same.

A problem without a compiled view is translated first (`searchkit.translate`), and its machine code is compared with
Python: before it is used, in another process, and then for one state in `COMPARED`. If it stops for a state, because it
has too little room, it is made again, and the search begins again.
"""

import atexit
import logging
import random
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, wait
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

from searchkit.compiled import compiler
from searchkit.compiled.cache import NotCompiledError, Request, no_compiling
from searchkit.errors import (
    InexactError,
    MissingCapabilityError,
    MissingExtraError,
    SavingError,
    shortened,
)
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.search.auto import TRIAL, needs_translation
from searchkit.search.limits import LimitReached, OutOfMemory, addresses_left, resident_memory
from searchkit.tree import SearchTree

if TYPE_CHECKING:
    from searchkit.translate.view import Maker

logger = logging.getLogger("searchkit")
KERNELS = {
    "bfs": "searchkit.kernels.bfs:BreadthFirst",
    "dijkstra": "searchkit.kernels.best_first:Dijkstra",
    "astar": "searchkit.kernels.best_first:AStar",
    "wastar": "searchkit.kernels.best_first:WeightedAStar",
    "bucket": "searchkit.kernels.best_first:Bucket",
    "greedy": "searchkit.kernels.best_first:Greedy",
    "zero_one": "searchkit.kernels.best_first:ZeroOne",
    "idastar": "searchkit.kernels.idastar:IterativeDeepeningAStar",
    "external_bfs": "searchkit.disk.search:external_bfs",
    "external_dijkstra": "searchkit.disk.search:external_dijkstra",
    "external_astar": "searchkit.disk.search:external_astar",
}
"""`EngineSpec.kernel` of an engine of searchkit → `module:name` of its compiled form, which is imported when used."""
WAIT_SECONDS = 0.05
"""How long `advance` waits for a kernel that is not ready. Between two slices of a search in Python, which holds up a
thread that imports Numba, it leaves most of the time to that thread."""
LEAVE_SECONDS = 2.0
"""How long the end of the program waits for a thread: one that imports Numba while Python ends may crash it."""
ADDRESS_SPACE = 1_500_000_000
"""Bytes of address space for Numba, LLVM and the arrays of a small search: with less, LLVM ends the process."""
COMPARED, SHARE = 1_000, 0.05
"""One of so many expanded states is compared with Python, if the machine code was made from it: of fewer, if that took
more than this share of the time."""
GIVEN = 1_000
"""How many of the first and of the last states that Python has reached show the translator what states look like."""
_choice = random.Random(0)
"""Chooses the states that are compared."""
_import_lock = threading.Lock()
"""Held while a kernel is imported and made: an import that fails in one thread makes it fail in others that wait."""
_made: dict[tuple[str, type], Any] = {}
"""Engine and class of problems → the compiled form, if it was made before: making it again needs no thread."""


class KernelEngine:
    """A kernel at work on a tree, with the interface of `driver.PythonEngine`.

    Args:
        problem: what is searched.
        spec: the engine.
        options: its options.
        tree: the tree that the kernel writes; what it holds is replaced when the kernel is made.
        required: whether the search waits for the kernel; if not, Python continues meanwhile, and the kernel is made
            when all that its first expansions call is compiled.

    """

    backend = "compiled"

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        spec: EngineSpec,
        options: Mapping[str, Any],
        tree: SearchTree[Any, Any],
        *,
        required: bool = True,
    ):
        self.problem, self.spec, self.options, self.tree = problem, spec, options, tree
        self.required = required
        self.kernel: Any = None
        """The `KernelRun`; None while it is being made."""
        self._task: Iterator[None] | None = None
        """What is to be done before the kernel can advance: making it, or compiling a function."""
        self._requested: set[Request] = set()
        self._searched: Any = None if needs_translation(problem, spec) else problem
        """The problem with a view; None while that has to be made."""
        self._key = spec.kernel, type(self if self._searched is None else problem)
        self.maker: Maker | None = None
        """What makes a view of a problem without one."""
        self.refusal = ""
        """Why there is no such view."""
        self._spare = 0.0
        """The seconds that there are for comparing states with Python."""

    @property
    def ended(self) -> bool:
        """Whether a goal was found or every state was seen."""
        return self.kernel is not None and bool(self.kernel.ended)

    @property
    def ready(self) -> bool:
        """Whether it stands at the state to be expanded next, or has ended. If not, `advance(0)` goes there."""
        return self.kernel is not None and bool(self.kernel.settled or self.kernel.ended)

    @property
    def state(self) -> Any:
        """The state to be expanded next; None before the beginning and after the end."""
        kernel = self.kernel
        has_begun = kernel is not None and (self.tree.expanded or kernel.settled)
        return kernel.state if has_begun and not kernel.ended else None

    def advance(self, most: int, memory: float | None = None) -> None:
        """Expand up to `most` states, for a few milliseconds at most, and count them in the tree.

        The limit of memory is the largest resident memory of this process, in MB, that the kernel may cause.

        Raises:
            LimitReached: an array can't grow within the limit of memory, or of the machine.
            InexactError: the kernel can't calculate with a number of the problem: the search has to begin in Python.
            MissingCapabilityError, MissingExtraError: this problem, or this machine, has no machine code.
            InvalidProblemError: as engines in Python.

        """
        if self._task is None and self.kernel is None:
            self._task = self._making()
        if self._task is not None:
            task, self._task = self._task, None  # after an error, it begins again
            if next(task, self) is not self:
                self._task = task
                return
            if not most:
                return
        kernel = self.kernel
        kernel.spare = None if memory is None else lambda: max(0.0, 1e6 * (memory - resident_memory()))
        try:
            begin = perf_counter()
            with no_compiling:
                expanded = kernel.advance(most)
            if self.maker is not None:
                self._compare(expanded, perf_counter() - begin)
        except InexactError as error:
            self._widen(error)
        except NotCompiledError as error:
            self._task = self._compiling(error.request)
        except MemoryError as error:
            limited = memory is not None and str(error)
            what = f"the limit of {memory} MB of memory" if limited else "the memory of this machine"
            raise LimitReached(OutOfMemory(what)) from error

    def begin_again(self) -> None:
        """Forget what was found."""
        if self.kernel is not None:
            self.tree.copy_from(SearchTree())
        self.kernel = self._task = None
        self._requested.clear()

    def kept(self) -> dict[str, Any]:
        """Return what a file holds of it besides its kernel."""
        return {"sample": self.maker and self.maker.sample}

    def restore(
        self, parts: Iterator[Mapping[str, Any]], tree: SearchTree[Any, Any], *, sample: Any = None
    ) -> None:
        """Make the kernel that has saved these parts, if there are any, over its saved tree, and compile it at once.

        `sample` is that of its `maker`.
        """
        if (first := next(parts, None)) is None:
            return
        for _ in self._translating(sample):
            pass
        kernel = import_kernel(self.spec)(self._searched, tree, **self.options)
        kernel.restore(chain([first], parts))
        if self.maker is not None and self.maker.stopped:
            raise SavingError("its machine code has too little room for what was found; begin a new search")
        self._take(kernel)

    def _take(self, kernel: Any) -> None:
        """Let a kernel that was made for another tree write to this one."""
        self.kernel, self.required = kernel, True
        self.tree.copy_from(kernel.tree)
        kernel.tree = self.tree

    def _making(self) -> Iterator[None]:
        """Import the kernel and make it, in a thread if that may take long; yield while that is not done."""
        kernel: Any = None
        while kernel is None:
            try:
                if self._searched is None:
                    yield from self._translating()
                kernel = self._make() if self._key in _made else (yield from _in_thread(self._make))
            except NotCompiledError as error:
                yield from self._compiling(error.request)
            except InexactError as error:
                self._widen(error)
        self._take(kernel)

    def _translating(self, sample: Any = None) -> Iterator[None]:
        """Make the view of a problem that has none; yield while that is not done. Raises `MissingCapabilityError`.

        `sample` is that of an earlier maker.
        """
        if self._searched is not None:
            return
        try:
            if self.maker is None:
                if not self.required and _is_watched():
                    raise MissingCapabilityError("a debugger, or what measures coverage, follows its Python")
                reached = [] if self.required else list(self.tree.reached)
                given = reached[:GIVEN] + reached[GIVEN:][-GIVEN:]
                view = yield from _in_thread(partial(_imported, "searchkit.translate.view"))
                self.maker = view.Maker(self.problem, given, patient=not self.required)
                self.maker.take(sample or {})
            yield from self.maker.steps(_in_thread)
            self._searched = self.maker.problem_with_view()
        except (MissingExtraError, MemoryError):
            raise
        except Exception as error:
            was_used = self.maker is not None and self.maker.wider > 0
            self.maker, self.refusal = None, _reason(error)
            if was_used and not self.spec.machine_code_only:
                raise InexactError(f"its machine code gave up: {self.refusal}") from error
            logger.debug("%s stays Python: %s", type(self.problem).__name__, self.refusal, exc_info=error)
            raise MissingCapabilityError(
                f"{type(self.problem).__name__} has no compiled(), and can't be made into machine code: "
                f"{self.refusal}; use backend='python', or write compiled()"
            ) from error

    def _widen(self, error: InexactError) -> None:
        """Begin again with machine code that has more room, if it lacked room; raise the error if it did not."""
        if self.maker is None or not self.maker.stopped:
            raise error
        try:
            self.maker.widen()
            if self.spec.machine_code_only and self.options.get("directory"):
                raise MissingCapabilityError("the files in the folder have no room for its states")
        except Exception as fault:
            reason = f"its machine code gave up: {_reason(fault)}"
            raise (MissingCapabilityError if self.spec.machine_code_only else InexactError)(reason) from fault
        if self.spec.machine_code_only and self.kernel is not None:
            self.kernel.close()
        self._searched = None
        self.begin_again()

    def _compare(self, expanded: int, seconds: float) -> None:
        """Compare some of the states that were found with Python. Raises `InexactError` if they differ.

        The kernel has made so many expansions in so many seconds since the last call.
        """
        assert self.maker is not None
        begin, records = perf_counter(), getattr(self.kernel, "records", None)
        count = int(expanded / COMPARED + _choice.random())
        self._spare += SHARE * seconds
        if not count or self._spare < 0:
            return
        if records is None:
            states = iter(() if self.kernel.ended else [self.kernel.state])
        else:
            states = (records.state(_choice.randrange(records.count)) for _ in range(count))
        if found := self.maker.difference(states, self._spare):
            smallest = map(records.state, range(records.count)) if records else ()  # those reached first
            found = self.maker.difference(smallest, 1.0) or found
            raise InexactError(
                f"its machine code and Python differ: {found}; please report this, with the problem, as it is a fault "
                "of searchkit"
            ) from found
        self._spare -= perf_counter() - begin

    def _make(self) -> Any:
        """Return the kernel, over a new tree, as it may have to be made again."""
        tree: SearchTree[Any, Any] = SearchTree()
        with _import_lock, no_compiling:
            make = _made.get(self._key) or import_kernel(self.spec)
            kernel = make(self._searched, tree, **self.options)
            while not (self.required or kernel.ended) and tree.expanded < TRIAL:
                kernel.advance(TRIAL - tree.expanded)
            if (
                self._key not in _made
                and kernel.quick_paths
                and not kernel.ended
                and kernel.state in tree.reached
            ):
                tree.trail(kernel.state)  # results and observers call this, too
            _made[self._key] = make
            return kernel

    def _compiling(self, request: Request) -> Iterator[None]:
        """Compile a function in another process; if that can't be done, here. Yield while it is not done."""
        try:
            if request in self._requested:
                raise MissingExtraError(f"compiled code in {request.file} can't be loaded")
            self._requested.add(request)
            while not compiler.wait(request, WAIT_SECONDS if self.required else 0):
                yield
        except MissingExtraError:
            if not self.required:
                raise
            yield from _in_thread(partial(compiler.compile_here, request))


def _imported(module: str) -> Any:
    with _import_lock:
        return import_module(module)


def _is_watched() -> bool:
    """Whether a debugger or a measurement of coverage follows this thread."""
    monitoring: Any = getattr(sys, "monitoring", None)  # since Python 3.12
    tools = [] if monitoring is None else [monitoring.DEBUGGER_ID, monitoring.COVERAGE_ID]
    return sys.gettrace() is not None or any(monitoring.get_tool(tool) for tool in tools)


def _reason(error: Exception) -> str:
    """Return why a problem can't be translated."""
    text = shortened(str(error), 400)
    return text if type(error).__module__.startswith("searchkit.") else f"{type(error).__name__}: {text}"


def _in_thread(call: Callable[[], Any]) -> Generator[None, None, Any]:
    """Call a function in a thread, and return its result; yield while that is not done, for limits and Ctrl-C."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=run, name="searchkit", daemon=True)
    thread.start()
    atexit.register(thread.join, LEAVE_SECONDS)
    while wait([future], WAIT_SECONDS).not_done:
        yield
    thread.join(WAIT_SECONDS)
    return future.result()


def import_kernel(spec: EngineSpec) -> Any:
    """Return the compiled form of an engine: a class, called with a problem, an empty tree and the options.

    Raises `MissingExtraError` if importing it fails for any reason.
    """
    if "numba" not in sys.modules and (left := addresses_left()) < ADDRESS_SPACE:
        raise MissingExtraError(
            f"machine code needs {ADDRESS_SPACE / 1e6:.0f} MB of addresses, and the limit of this process leaves "
            f"{left / 1e6:.0f} MB; raise it (ulimit -v), or use backend='python'"
        )
    module, _, name = KERNELS.get(spec.kernel, spec.kernel).partition(":")
    try:
        return getattr(import_module(module), name)
    except (NotCompiledError, KeyboardInterrupt):
        raise
    except BaseException as error:
        if find_spec("numba") is None:
            advice = "install them with: pip install 'statespace-searchkit[fast]'"
            raise MissingExtraError(f"machine code needs numpy and Numba; {advice}") from error
        cause = error.__cause__ if isinstance(error, MissingExtraError) and error.__cause__ else error
        raise MissingExtraError(
            f"machine code can't be used: importing Numba failed ({type(cause).__name__}: {cause}); install it again "
            "with: pip install --force-reinstall numba; or use backend='python'"
        ) from error
