"""Small searches by machine code that is loaded: they begin and end in one step.

The arrays of such a search belong to a run that is used again (`searchkit.kernels.small`). The result holds copies of
what it shows. A run whose tree or kernel somebody has read belongs to its search from then on. Another one is kept for
the next search when its search is gone.
"""

import sys
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any

from searchkit.compiled.cache import NotCompiledError, no_compiling
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


class SmallRun(CompiledRun):
    """A run that has ended.

    Args:
        search: its search.
        run: the compiled engine.
        runs: what keeps it when the search is gone.
        key: under which key.

    """

    ended = settled = quick_paths = True
    own_pace = False
    memory: float | None = None

    def __init__(self, search: Any, run: Any, runs: "SmallRuns", key: tuple[Any, ...]):
        self.problem, self.spec, self.tree = search.problem, search.spec, search._tree
        self._run, self._runs, self._key = run, runs, key
        self.shown = False
        self._missing = self._requested = None

    def __del__(self) -> None:
        if not self.shown and not sys.is_finalizing():
            self._runs.keep(self._run, self._key)

    @property
    def state(self) -> Any:
        """The state before the end, as of other runs: the only start, or None if nothing was expanded."""
        return next(self._run.records.starts()) if self.tree.expanded else None

    @property
    def kernel(self) -> Any:
        """The compiled engine, which belongs to its search from now on."""
        self.shown = True
        return self._run

    def underestimates(self, trail: Trail, costs: Any) -> bool:
        """As the kernel says."""
        return bool(self._run.underestimates(trail, costs))

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
    begun = search._run
    if search.observers or begun.begun or begun.shown or search._interrupted or not search._groundwork.done:
        return False
    facts, problem, spec = preparation.facts, search.problem, search.spec
    kind = spec.kernel, type(problem)
    options = search.options
    if kind not in facts.quick or (
        options and any(each.python_only and each.name in options for each in spec.options)
    ):
        return False
    vain = facts.in_vain.get(kind, 0)
    if vain >= TRIALS and vain % AGAIN:
        facts.in_vain[kind] = vain + 1
        return False
    begin = perf_counter()
    small: Any = import_module(MODULE)  # which waits if another thread imports it just now
    module, _, name = spec.kernel.partition(":")
    try:
        with no_compiling():
            run, key = small.searched(
                getattr(sys.modules[module], name), problem, search.options, search._tree
            )
    except NotCompiledError:
        run, key = None, ()
    except Exception as error:
        failed = Preparation(problem, spec, search.options, alone=True)
        failed.error = error
        search._tree.copy_from(SearchTree())
        search._stay(failed)
        return False
    if vain or key is None:
        facts.in_vain[kind] = vain + 1 if key is None else 0
    if run is None:
        search._tree.copy_from(SearchTree())
        return False
    search._seconds += perf_counter() - begin
    search._run = SmallRun(search, run, small.RUNS, key)
    return True
