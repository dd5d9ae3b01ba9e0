"""Runs: generators and kernels behind one interface, `Run`, the only one that the driver of a search knows."""

from collections.abc import Generator, Mapping, Sequence
from functools import partial
from time import sleep
from typing import Any, Generic, Protocol

from searchkit.compiled.cache import NotCompiledError, Request, no_compiling
from searchkit.errors import PluginError, SearchkitError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.search.auto import compiled_run, options_of_python
from searchkit.search.background import compile_here
from searchkit.search.diagnosis import explain
from searchkit.search.limits import resident_memory
from searchkit.search.preparation import BUSY, ELSEWHERE, FAILED, Missing, import_kernels
from searchkit.tree import SearchTree, Trail

WAIT_SECONDS = 0.02
"""How long a search sleeps that waits for another process, before it checks its limits again."""


class NoMemoryError(MemoryError):
    """An array of a kernel can't grow; the message names the limit. The run continues when it is advanced again."""


class Run(Protocol):
    """One engine at work on one problem and one tree.

    A run does not count its expansions in the tree: the caller of `advance` does, unless `advance` raises.
    """

    backend: str
    """`python` or `compiled`."""
    first_slice: int
    """How many expansions the first slice of a search should ask for."""
    growth: int
    """By which factor a slice may exceed the one before it, if that was much too short."""
    memory: float | None
    """The largest resident memory of this process, in MB, that the run may cause; None for no limit."""
    shown: bool
    """Whether somebody has read the tree or the kernel."""

    @property
    def kernel(self) -> Any:
        """The compiled engine; None in Python."""
        ...

    @property
    def own_pace(self) -> bool:
        """Whether `advance` takes about the same time however many expansions it is asked for."""
        ...

    @property
    def quick_paths(self) -> bool:
        """Whether the path to a state is found at once."""
        ...

    @property
    def begun(self) -> bool:
        """Whether the run stands at a state, or between two. If not, `advance` only goes to a state."""
        ...

    @property
    def settled(self) -> bool:
        """Whether it stands at the state to be expanded next, or has ended. If not, it has to be advanced further."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the engine has returned: it found a goal, or has nothing left to expand."""
        ...

    @property
    def state(self) -> Any:
        """The state to be expanded next; after the end, the one before; None before the beginning."""
        ...

    def advance(self, most: int) -> int:
        """Expand up to `most` states; return how many were expanded. It may stop sooner: see `settled`.

        If it raises, it has counted the expansions in `tree.expanded` itself. It can be advanced again.

        Raises:
            InvalidProblemError: the problem breaks the protocol, or one of its members raised.
            PluginError: the engine itself raised.
            InexactError: a kernel can't calculate with a number of the problem; the search has to start in Python.
            NoMemoryError: an array of a kernel can't grow.

        """
        ...

    def waits(self) -> bool:
        """Do a small part of what the run is waiting for; return whether it is still waiting.

        Raises what compiling a missing function raises.
        """
        ...

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Whether it is certain, without a call of the problem, that no heuristic value on a path exceeds the rest."""
        ...

    def close(self) -> None:
        """Drop the engine; the tree stays. A generator that is advanced again is replaced by a new one."""
        ...

    def saved(self) -> dict[str, Any]:
        """Return what it knows besides the tree and the kernel, by name, for `restore`."""
        ...

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Become the run that returned this. The tree, and the kernel if there is one, hold what they held then."""
        ...


class GeneratorRun(Generic[State, Action]):
    """A run of an engine in Python, a generator over the tree.

    A generator that has raised is dead. Because the tree holds everything, a new one continues from it: it repeats the
    expansion that was interrupted, and the counters become what they would be without the interruption.
    """

    backend, kernel, first_slice, growth = "python", None, 1, 8
    own_pace, quick_paths, shown = False, True, False
    memory: float | None = None

    def __init__(
        self,
        problem: SearchProblem[State, Action],
        spec: EngineSpec,
        options: Mapping[str, Any],
        tree: SearchTree[State, Action],
    ):
        self.problem, self.spec, self.tree = problem, spec, tree
        self.options = options_of_python(spec, options)
        self.begun = self.settled = self.ended = False
        self.state: State | None = None
        self._generator: Generator[State, None, None] | None = None
        self._interrupted: tuple[State, bool, int, Cost] | None = None
        """The state whose expansion raised; whether the frontier held anything; peak frontier and lower bound."""
        self._continues = False
        """Whether the next generator has to continue at `state`: the search was saved there."""

    def advance(self, most: int) -> int:
        """Expand up to `most` states; or, without a generator, start one and go to the state to be expanded next."""
        generator = self._generator
        if generator is None:
            return self._begin()
        advanced, state = 0, self.state
        try:
            for advanced, state in zip(range(1, most + 1), generator, strict=False):  # noqa: B007  # the last pair stays
                pass
        except BaseException as error:
            self.begun = self.settled = False
            self._generator = None
            self.tree.expanded += advanced
            if self._interrupted is None and state is not None:
                tree = self.tree
                self._interrupted = state, bool(tree.frontier), tree.peak_frontier, tree.lower_bound
            if isinstance(error, SearchkitError) or not isinstance(error, Exception):
                raise
            raise explain(self.problem, self.spec, self.tree, state, error) from error
        finally:
            self.state = state
        if advanced < most:
            self.ended = True
            advanced += 1
        return advanced

    def _begin(self) -> int:
        """Start a generator over the tree; return 1 if an interrupted expansion turns out to be complete, or 0."""
        self._generator = self.spec.run(self.problem, self.tree, **self.options)  # type: ignore[assignment]  # engines are generators
        self.begun = self.settled = True
        stood, continues, self._continues = self.state, self._continues, False
        self.advance(1)  # to the first state, which is not an expansion
        if continues and (self.ended or not (self.state is stood or self.state == stood)):
            raise PluginError(
                f"engine {self.spec.name!r} does not continue from a saved search: it stood at {stood!r}, and now it "
                f"{'has ended' if self.ended else f'stands at {self.state!r}'}; whatever it knows has to be in the tree"
            )
        interrupted, self._interrupted = self._interrupted, None
        if interrupted is None:
            return 0
        state, waited, peak_frontier, lower_bound = interrupted
        if not self.ended and waited and self.state == state:  # it is done again
            self.tree.peak_frontier, self.tree.lower_bound = peak_frontier, lower_bound
            return 0
        return 1

    def waits(self) -> bool:
        """Return False."""
        return False

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Return False: the problem has to be called."""
        return False

    def close(self) -> None:
        """Close the generator."""
        generator, self._generator = self._generator, None
        self.begun = self.settled = False
        if generator is not None:
            generator.close()

    def saved(self) -> dict[str, Any]:
        """Return where it stands."""
        return {
            "begun": self.begun,
            "ended": self.ended,
            "state": self.state,
            "interrupted": self._interrupted,
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Stand there again. The generator is made when it is needed."""
        self.begun = self.settled = bool(saved["begun"])
        self.ended, self.state = bool(saved["ended"]), saved["state"]
        self._interrupted = saved["interrupted"]
        self._continues = self.begun


class CompiledRun:
    """A run of a compiled engine.

    Args:
        problem: what is searched.
        spec: the engine, for messages.
        kernel: its compiled form at work.
        tree: what the kernel is to write to.
        memory: see `Run.memory`.

    """

    backend, first_slice, growth = "compiled", 1 << 14, 8
    begun, shown = True, False

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        spec: EngineSpec,
        kernel: Any,
        tree: SearchTree[Any, Any],
        memory: float | None = None,
    ):
        self.problem, self.spec, self.kernel, self.tree, self.memory = problem, spec, kernel, tree, memory
        kernel.tree = tree
        self.state: Any = None
        self._missing: Missing | None = None
        """The function that the kernel calls and that is being compiled."""
        self._requested: Request | None = None
        """The last such function."""
        self._look()

    @property
    def own_pace(self) -> bool:
        """As the kernel says."""
        return bool(self.kernel.own_pace)

    @property
    def quick_paths(self) -> bool:
        """As the kernel says."""
        return bool(self.kernel.quick_paths)

    @property
    def ended(self) -> bool:
        """Whether the kernel has ended."""
        return bool(self.kernel.ended)

    @property
    def settled(self) -> bool:
        """Whether the kernel stands at the state to be expanded next, or has ended."""
        return bool(self.kernel.settled)

    def advance(self, most: int) -> int:
        """Let the kernel expand up to `most` states. A function that is not compiled yet is noted: see `waits`."""
        kernel = self.kernel
        kernel.spare = None if self.memory is None else partial(_spare, self.memory)
        try:
            with no_compiling():
                return int(kernel.advance(most))
        except NotCompiledError as error:
            self._request(error.request)
            return 0
        except MemoryError as error:
            limited = self.memory is not None and str(error)
            what = f"the limit of {self.memory} MB of memory" if limited else "the memory of this machine"
            raise NoMemoryError(what) from error
        except SearchkitError:
            raise
        except Exception as error:  # a member of the problem was called, for an error or a warning
            state = kernel.state if kernel.asked is None else kernel.asked
            raise explain(self.problem, self.spec, self.tree, state, error) from error
        finally:
            self._look()

    def _look(self) -> None:
        if not self.kernel.ended:
            self.state = self.kernel.state

    def _request(self, request: Request) -> None:
        if self._requested == request:  # another process has compiled it, but it can't be loaded
            compile_here(request)
        self._missing, self._requested = Missing(request, here=True), request

    def waits(self) -> bool:
        """Wait a moment for a function that is being compiled."""
        missing = self._missing
        if missing is None:
            return False
        how = missing.look()
        if how == ELSEWHERE:
            sleep(WAIT_SECONDS)
        elif how != BUSY:
            self._missing = None
        if how == FAILED and missing.error is not None:
            raise missing.error
        return self._missing is not None

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """As the kernel says."""
        return bool(self.kernel.underestimates(trail, costs))

    def close(self) -> None:
        """Do nothing: a kernel holds all that it needs to continue."""

    def saved(self) -> dict[str, Any]:
        """Return the state if the kernel has ended: then it does not know it any more."""
        return {"state": self.kernel.plain_state(self.state) if self.kernel.ended else None}

    @classmethod
    def restored(
        cls,
        problem: SearchProblem[Any, Any],
        spec: EngineSpec,
        options: Mapping[str, Any],
        tree: SearchTree[Any, Any],
        saved: Mapping[str, Any],
    ) -> "CompiledRun":
        """Return the run of a kernel that has saved this. What is not compiled yet is compiled at once.

        Raises what importing and making the kernel raise, and `InputFormatError` if no such kernel has saved it.
        """
        import_kernels(spec)
        fresh: SearchTree[Any, Any] = SearchTree()
        kernel = compiled_run(problem, fresh, spec, options)
        kernel.restore(saved)
        tree.copy_from(fresh)
        return cls(problem, spec, kernel, tree)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Stand at that state."""
        if self.kernel.ended:
            self.state = saved["state"]


class PendingRun:
    """Stands for a kernel that is not ready yet, in a search that begins as machine code."""

    backend, kernel, first_slice, growth = "compiled", None, 1, 2
    own_pace, quick_paths, shown = False, True, False
    begun = settled = ended = False
    state = None
    memory: float | None = None

    def advance(self, most: int) -> int:
        """Expand nothing."""
        return 0

    def waits(self) -> bool:
        """Return False: it is the driver that waits for the kernel."""
        return False

    def underestimates(self, trail: Trail, costs: Sequence[Cost]) -> bool:
        """Return False."""
        return False

    def close(self) -> None:
        """Do nothing."""

    def saved(self) -> dict[str, Any]:
        """Return nothing: it has not begun."""
        return {}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Do nothing."""


def _spare(most: float) -> float:
    """Return how many bytes the process may take if `most` is the limit of its resident memory, in MB."""
    return max(0.0, (most - resident_memory()) * 1e6)
