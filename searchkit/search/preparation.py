"""Preparing the machine code of a search in small steps, between which limits and Ctrl-C are checked.

The machine code repeats the search from its beginning: Numba is imported, the compiled view is made, the kernels are
loaded, and as many states are expanded as the search in Python has expanded. Kernels expand the same states in the same
order, with the same ties, so that the search can continue from there; this is verified first. It takes a small part of
the time that the search in Python took, and less time than copying the states that it has reached.

Importing Numba and making a view can't be interrupted, so a thread does them, and the search waits for it. What is not
compiled yet on this machine is compiled by another process (`searchkit.search.background`).
"""

import logging
import sys
from collections.abc import Hashable, Iterator, Mapping
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from time import perf_counter, sleep
from typing import Any

from attrs import Factory, define

from searchkit.compiled import Leaving
from searchkit.compiled.cache import NotCompiledError, Request, no_compiling
from searchkit.errors import (
    DirectoryError,
    InvalidOptionError,
    MissingCapabilityError,
    MissingExtraError,
    SearchkitError,
    UnknownNameError,
    WorkerError,
)
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.search import background
from searchkit.search.auto import compiled_run
from searchkit.search.background import Work, lost_import
from searchkit.search.limits import addresses_left
from searchkit.tree import SearchTree

logger = logging.getLogger("searchkit")
BUSY, ELSEWHERE, READY, FAILED = "busy", "elsewhere", "ready", "failed"
"""The progress of a preparation: at work in this process; another process compiles; ready; failed."""
SLICE_SECONDS, FIRST_SLICE = 0.02, 1024
QUICK_SECONDS = 0.02
"""If making a run for a class of problems took no longer than this, it is done without a thread next time."""
ADDRESS_SPACE = 1_500_000_000
"""Bytes of address space for Numba, LLVM and the arrays of a small search: with less, LLVM ends the process."""


@define
class ProcessFacts:
    """What this process has learned about machine code. All searches share it: a process has one Numba."""

    broken: str = ""
    """Why machine code can't be used in this process; "" while no reason is known."""
    quick: set[tuple[str, type]] = Factory(set)
    """The kernels and classes of problems whose runs are made quickly."""
    in_vain: dict[tuple[str, type], int] = Factory(dict)
    """How many searches of these were no small ones, one after the other: see `searchkit.search.runs.small`."""
    rehearsed: set[Hashable] = Factory(set)
    """The forms of the runs whose results this process can read without compiling anything."""
    announced: dict[str, object] = Factory(dict)
    """The functions and modules whose compilation this process has logged."""
    warnings: set[str] = Factory(set)
    """The warnings that this process has logged."""


facts = ProcessFacts()


def reset() -> None:
    """Forget what this process has learned about machine code, and end the process that compiles for it."""
    global facts
    facts = ProcessFacts()
    background.compiler.end()
    background.compiler = background.Compiler()


class Preparation:
    """The machine code of one search.

    Args:
        problem: what is searched.
        spec: by which engine.
        options: the engine's.
        alone: whether the search waits: then what another process can't compile is compiled in this one.
        at_once: whether everything is done in the calling thread, including compilation.

    """

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        spec: EngineSpec,
        options: Mapping[str, Any],
        *,
        alone: bool = False,
        at_once: bool = False,
    ):
        self.problem, self.spec, self.options = problem, spec, options
        self.alone, self.at_once = alone, at_once
        self.tree: SearchTree[Any, Any] = SearchTree()
        self.run: Any = None
        self.error: BaseException | None = None
        """Why it failed. A `MissingCapabilityError` is not reported as a fault."""
        self.missing: Missing | None = None
        self._made: Work | None = None
        self._asked: list[Request] = []
        self._size = FIRST_SLICE

    @property
    def fatal(self) -> bool:
        """Whether it failed because of something that Python can't do either, such as a directory that is in use."""
        return isinstance(self.error, DirectoryError | InvalidOptionError | UnknownNameError | WorkerError)

    def advance(self, expanded: int) -> str:
        """Do a small part, at most up to the state after `expanded` expansions; return the progress."""
        if self.missing is not None:
            how = self.missing.look()
            if how is not READY:
                self.error = self.missing.error
                return how
            self.missing = None
        try:
            if self.run is None and not self._make():
                return BUSY
            with nullcontext() if self.at_once else no_compiling():
                return self._catch_up(expanded)
        except NotCompiledError as error:
            if error.request in self._asked and not self.alone:
                self.error = MissingExtraError(f"compiled code in {error.request.file} can't be loaded")
                return FAILED
            self.at_once = error.request in self._asked  # it was compiled, but can't be loaded
            self._asked.append(error.request)
            self.missing = None if self.at_once else Missing(error.request, here=self.alone)
            return BUSY if self.at_once else ELSEWHERE
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self.error = error
            return FAILED

    def agrees(self, tree: SearchTree[Any, Any], state: object) -> bool:
        """Whether the machine code has done the same as a search in Python with this tree, which stands at `state`."""
        counters = attrgetter("expanded", "generated", "reopened", "peak_frontier", "lower_bound")
        return (
            not self.run.ended
            and bool(counters(tree) == counters(self.tree))
            and len(tree.reached) == len(self.tree.reached)
            and bool(self.run.state == state)
        )

    def _make(self) -> bool:
        """Import the kernel and make the run, in a thread if that may take long; return whether it is done."""
        if self._made is None and (self.spec.kernel, type(self.problem)) in facts.quick:
            with nullcontext() if self.at_once else no_compiling():
                self._make_run()
            return True
        if self._made is None:
            self._made = Work(self._make_run, nullcontext if self.at_once else no_compiling)
            if self.at_once or not self._made.begin():
                self._made.do()
        if not self._made.ended.wait(SLICE_SECONDS):
            return False
        work, self._made = self._made, None
        if work.error is not None:
            raise work.error
        return True

    def _make_run(self) -> None:
        import_kernels(self.spec)
        begin = perf_counter()
        self.tree = SearchTree()
        run = compiled_run(self.problem, self.tree, self.spec, self.options)
        if perf_counter() - begin < QUICK_SECONDS:
            facts.quick.add((self.spec.kernel, type(self.problem)))
        self.run = run

    def _catch_up(self, expanded: int) -> str:
        tree, run = self.tree, self.run
        begin = perf_counter()
        while True:
            tree.expanded += run.advance(min(expanded - tree.expanded, self._size))
            if run.ended or (tree.expanded >= expanded and run.settled):
                break
            if perf_counter() - begin >= SLICE_SECONDS:
                return BUSY
            self._size *= 2
        if not run.ended and (run.form is None or run.form not in facts.rehearsed):
            for _ in rehearse(run, tree):
                pass
            facts.rehearsed.add(run.form)
        return READY


class Groundwork:
    """What an engine and the problem's heuristic need before the search begins, computed in a thread.

    See `EngineSpec.unprepared` and `Preparable`.
    """

    def __init__(self, spec: EngineSpec, problem: object):
        calls = [] if spec.unprepared is None else [spec.unprepared(problem)]
        if spec.heuristic != "unused" and (unprepared := getattr(problem, "unprepared", None)) is not None:
            calls.append(unprepared())
        wanted = [call for call in calls if call is not None]
        self._call = (lambda: [call() for call in wanted]) if wanted else None
        self.done = self._call is None
        """Whether the engine can begin."""
        self._work: Work | None = None
        self._missing: Missing | None = None
        self._asked: list[Request] = []

    def waits(self) -> bool:
        """Wait a moment; return whether it is still being computed. Raises what computing it raises."""
        if self._missing is not None:
            how = self._missing.look()
            if how == ELSEWHERE:
                sleep(SLICE_SECONDS)
            if how in (ELSEWHERE, BUSY):
                return True
            missing, self._missing = self._missing, None
            if missing.error is not None:
                raise missing.error
        if self._work is None:
            self._work = Work(self._call, no_compiling)
            if not self._work.begin():
                self._work.do()
        if not self._work.ended.wait(SLICE_SECONDS):
            return True
        work, self._work = self._work, None
        if isinstance(work.error, NotCompiledError):
            request = work.error.request
            if request in self._asked:  # it was compiled, but can't be loaded
                background.compile_here(request)
            self._asked.append(request)
            self._missing = Missing(request, here=True)
            return True
        if work.error is not None:
            raise work.error
        self.done = True
        return False


class Missing:
    """A function that is not compiled yet.

    Args:
        request: which function it is.
        here: whether this process compiles it if the other one can't.

    """

    def __init__(self, request: Request, *, here: bool):
        self.request, self.here = request, here
        self.error: BaseException | None = None
        self._work: Work | None = None
        mark, what = object(), request.name or request.module
        if facts.announced.setdefault(what, mark) is mark:  # one step, whatever other threads do
            logger.info("compiling %s … (once per machine)", what)

    def look(self) -> str:
        """Return `ELSEWHERE` or `BUSY` while another or this process compiles it, then `READY` or `FAILED`."""
        if self._work is not None:
            return self._look_here(self._work)
        how = background.compiler.state(self.request)
        if how == background.UNDER_WAY:
            return ELSEWHERE
        if how == background.THERE:
            return READY
        if self.here:
            self._work = Work(lambda: background.compile_here(self.request))
            if not self._work.begin():
                self._work.do()
            return BUSY
        self.error = MissingExtraError(background.compiler.failures[self.request.file])
        return FAILED

    def _look_here(self, work: Work) -> str:
        if not work.ended.wait(SLICE_SECONDS):
            return BUSY
        if work.error is not None:
            self.error = work.error
            return FAILED
        return READY


def import_kernels(spec: EngineSpec) -> None:
    """Import the compiled form of an engine. Raises `MissingExtraError` if that fails for any reason."""
    if facts.broken:
        raise MissingExtraError(facts.broken)
    if "numba" not in sys.modules and (left := addresses_left()) is not None and left < ADDRESS_SPACE:
        raise MissingExtraError(
            f"machine code needs {ADDRESS_SPACE / 1e6:.0f} MB of addresses, and the limit of this process leaves "
            f"{left / 1e6:.0f} MB; raise it (ulimit -v), or use backend='python'"
        )
    try:
        import_module(spec.kernel.partition(":")[0])
    except (NotCompiledError, KeyboardInterrupt, Leaving):
        raise
    except BaseException as error:
        if find_spec("numba") is None or lost_import(error):
            raise
        cause = error.__cause__ if isinstance(error, MissingExtraError) and error.__cause__ else error
        why = (
            f"machine code can't be used: importing Numba failed ({type(cause).__name__}: {cause}); install it again "
            "with: pip install --force-reinstall numba; or use backend='python'"
        )
        if not isinstance(cause, MemoryError):
            facts.broken = why
        raise MissingExtraError(why) from error


def rehearse(run: Any, tree: SearchTree[Any, Any]) -> Iterator[object]:
    """Use a run in the ways in which results and observers use it, so that machine code for that is loaded too."""
    state = run.state
    yield state in tree.reached
    if state in tree.reached and run.quick_paths:
        yield tree.reached[state]
        trail = tree.trail(state)
        yield run.underestimates(trail, [0] * len(trail.actions))


def warning_of(error: BaseException | None) -> str:
    """Return the warning of a search that stays in Python because of an error; "" if there is nothing to report."""
    if error is None or isinstance(error, MissingCapabilityError):
        return ""
    what = str(error) if isinstance(error, SearchkitError) else f"{type(error).__name__}: {error}"
    text = f"the search stayed in Python: {what}"
    if text not in facts.warnings:
        facts.warnings.add(text)
        logger.warning(text)
    return text
