"""Small searches by machine code that is loaded: they begin and end in one step.

The arrays of such a search belong to a run that is used again (`searchkit.kernels.small`). The result holds copies of
what it shows. The tree takes its arrivals from the run when somebody first reads them; from then on the run belongs to
this search. A run that nobody has asked for is kept for another search when the search is gone.
"""

import sys
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any

from searchkit.compiled.cache import NotCompiledError, no_compiling
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import SearchProblem
from searchkit.search import preparation
from searchkit.search.preparation import Preparation
from searchkit.search.runs import CompiledRun
from searchkit.tree import SearchTree, Trail

if TYPE_CHECKING:
    from searchkit.kernels.small import SmallRuns

MODULE = "searchkit.kernels.small"
TRIALS, AGAIN = 8, 64
"""After so many searches of problems of a class that were tried in vain, one after the other, only every 64th is tried:
trying takes as long as making the compiled view."""
SHOWN = "reached", "arrivals", "frontier", "closed"
"""What a tree takes from the run."""


class Held:
    """A run that has ended, and that is kept for another search unless somebody reads it."""

    __slots__ = ("key", "run", "runs", "shown")

    def __init__(self, runs: "SmallRuns", run: Any, key: tuple[Any, ...]):
        self.runs, self.run, self.key = runs, run, key
        self.shown = False

    def show(self) -> Any:
        """Return the run, which belongs to its search from now on."""
        self.shown = True
        return self.run

    def __del__(self) -> None:
        if not self.shown and not sys.is_finalizing():
            self.runs.keep(self.run, self.key)


class HeldTree(SearchTree[Any, Any]):
    """A tree whose arrivals are in a run that is held."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name not in SHOWN:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        run = self.source.show()
        own = run.tree
        if own is not self:
            for each in SHOWN:
                setattr(self, each, getattr(own, each))
            run.tree = self
        return getattr(self, name)

    def count(self) -> int:
        """Return how many states were reached."""
        return int(self.source.run.records.reached)

    def trail(self, state: Any) -> Trail:
        """Return the path on which a state was reached. Raises `KeyError` if it was not."""
        trail: Trail = self.source.run.records.path_to(state)
        return trail


class HeldRun(CompiledRun):
    """A run that has ended, and that is held."""

    ended = settled = quick_paths = True
    own_pace = False
    memory: float | None = None

    def __init__(self, problem: SearchProblem[Any, Any], spec: EngineSpec, tree: SearchTree[Any, Any]):
        self.problem, self.spec, self.tree = problem, spec, tree
        self._missing = self._requested = None

    @property
    def state(self) -> Any:
        """The state before the end, as of other runs: the only start, or None if nothing was expanded."""
        return next(self.tree.source.run.records.starts()) if self.tree.expanded else None

    @property
    def kernel(self) -> Any:
        """The run itself, which belongs to its search from now on."""
        self.tree.reached  # noqa: B018  # the tree takes its arrivals
        return self.tree.source.run

    def underestimates(self, trail: Trail, costs: Any) -> bool:
        """As the kernel says."""
        return bool(self.tree.source.run.underestimates(trail, costs))

    def advance(self, most: int) -> int:
        """Do nothing: it has ended."""
        return 0

    def waits(self) -> bool:
        """Return False."""
        return False


def run_small(search: Any) -> bool:
    """Run a `searchkit.Search` to its end, and let its tree show that; return whether it has ended.

    If not, the search has to begin in the usual way, perhaps in Python. It is possible if the search begins as machine
    code that is loaded, if its graph is small and was searched before, and without options of Python. Raises what
    making the run raises.
    """
    unfit = bool(search.observers) or search._run.begun or search._interrupted or not search._groundwork.done
    facts, problem, spec = preparation.facts, search.problem, search.spec
    kind = spec.kernel, type(problem)
    unfit |= bool(search.options) and any(each.python_only for each in spec.options)
    if unfit or search.backend == "python" or kind not in facts.quick:
        return False
    vain = facts.in_vain.get(kind, 0)
    if vain >= TRIALS and vain % AGAIN:
        facts.in_vain[kind] = vain + 1
        return False
    begin = perf_counter()
    small: Any = sys.modules.get(MODULE) or import_module(MODULE)
    module, _, name = spec.kernel.partition(":")
    try:
        with no_compiling():
            run, key = small.searched(getattr(sys.modules[module], name), problem, search.options)
    except NotCompiledError:
        return False
    except Exception as error:
        failed = Preparation(problem, spec, search.options, alone=True)
        failed.error = error
        search._stay(failed)
        return False
    if vain or key is None:
        facts.in_vain[kind] = vain + 1 if key is None else 0
    if run is None:
        return False
    tree, own = search.tree, run.tree
    tree.expanded, tree.generated, tree.peak_frontier = own.expanded, own.generated, own.peak_frontier
    tree.lower_bound, tree.found, tree.goal = own.lower_bound, own.found, own.goal
    for name in SHOWN:
        delattr(tree, name)
    tree.source = Held(small.RUNS, run, key)
    tree.__class__ = HeldTree
    search._seconds += perf_counter() - begin
    search._run = HeldRun(problem, spec, tree)
    return True
