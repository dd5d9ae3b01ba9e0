"""Which searches can run as machine code, and when a search that began in Python should move over."""

import logging
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from searchkit.errors import MissingCapabilityError, MissingExtraError, UnknownNameError
from searchkit.problem import Compilable, SearchProblem
from searchkit.specs import EngineSpec
from searchkit.suggestions import unknown

logger = logging.getLogger("searchkit")
BACKENDS = ("auto", "python", "compiled")
ALIASES = {"numba": "compiled", "jit": "compiled", "native": "compiled", "pure": "python"}
"""What else people call them."""
MOVE_AFTER = 2_000
"""`auto` moves no search with fewer expansions."""
COLD_SECONDS, WARM_SECONDS = 0.4, 0.01
"""What moving costs: mostly importing Numba, where this process has not done so yet.

A search moves when it has taken about as long as moving will take. So it never takes more than about twice the time of
the better choice, whenever it ends (the ski-rental argument: Karlin, Manasse, Rudolph and Sleator 1988).
"""
COMPILE_AFTER = 0.5
"""Seconds after which a search has another process compile what is not compiled yet on this machine."""


def check_backend(backend: str, problem: SearchProblem[Any, Any], spec: EngineSpec) -> None:
    """Raise what is wrong with a search by this backend.

    Raises:
        UnknownNameError: there is no such backend.
        MissingCapabilityError: the engine or the problem has no compiled form.
        MissingExtraError: Numba is not installed.

    """
    if backend not in BACKENDS:
        listing = f"there are {', '.join(BACKENDS)}"
        raise UnknownNameError(
            unknown(f"there is no backend {backend!r}", backend, BACKENDS, listing, ALIASES)
        )
    if backend != "compiled":
        return
    instead = "use backend='python', or 'auto' to have the fastest there is"
    if not spec.kernel:
        raise MissingCapabilityError(f"engine {spec.name!r} has no compiled form; {instead}")
    if not isinstance(problem, Compilable):
        raise MissingCapabilityError(
            f"{type(problem).__name__} has no compiled form (it is not Compilable: it has no compiled()); {instead}"
        )
    if find_spec("numba") is None:
        raise MissingExtraError(
            "backend 'compiled' needs numpy and Numba; install them with: pip install 'statespace-searchkit[fast]'"
        )


def is_usable() -> bool:
    """Whether Numba can be imported. It may be installed and broken, in any way: that is logged once."""
    if find_spec("numba") is None:
        return False
    try:
        import_module("searchkit.compiling")
    except (Exception, SystemExit) as error:
        if not _broken:
            _broken.append(error)
            logger.warning(
                "machine code can't be used: importing Numba failed (%s: %s)", type(error).__name__, error
            )
        return False
    return True


_broken: list[BaseException] = []


def can_move(problem: SearchProblem[Any, Any], spec: EngineSpec) -> bool:
    """Whether a search may move to machine code, as far as can be said without importing any of it."""
    return bool(spec.kernel) and isinstance(problem, Compilable) and find_spec("numba") is not None


def moving_pays(expanded: int, seconds: float) -> bool:
    """Whether a search of so many expansions, that has taken so long, should move now."""
    if expanded < MOVE_AFTER:
        return False
    return seconds >= (WARM_SECONDS if "searchkit.kernels" in sys.modules else COLD_SECONDS)


def compiled_run(problem: SearchProblem[Any, Any], tree: Any, spec: EngineSpec, options: Any) -> Any:
    """Return the compiled engine, at the beginning of a search, over an empty tree.

    Raises `MissingCapabilityError` where this instance or these options have no compiled form; the tree stays as it is.
    """
    module, _, name = spec.kernel.partition(":")
    return getattr(import_module(module), name)(problem, tree, **options)
