"""Which engine and which backend a search uses: the ones that were requested, or that `auto` chooses."""

import sys
from functools import cache
from importlib.util import find_spec
from inspect import isfunction
from itertools import islice
from typing import Any

from searchkit.basics.checks import distinct_starts, python_number
from searchkit.errors import (
    MissingCapabilityError,
    MissingExtraError,
    SearchkitError,
    UnknownNameError,
    quoted,
    unknown,
)
from searchkit.plugin.adapters import Adapted
from searchkit.plugin.options import arguments_of, takes
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import Action, Compilable, SearchProblem, State, has_cost, has_heuristic, misspelt


def engine_spec(engine: str | EngineSpec | EngineFunction) -> EngineSpec:
    """Return the specification of an engine that is given by its name, by a specification or by its function.

    The parameters of a function after the first two are its options. Raises `UnknownNameError` for an unknown name and
    for anything that can't be called.
    """
    if isinstance(engine, str):
        return registry().engine(engine)
    if isfunction(engine):  # its promises may be declared above it
        from searchkit.engines.kit import SPECS  # commands that search nothing do without

        engine = SPECS.get(engine, engine)
    if isinstance(engine, EngineSpec):
        return engine
    if not callable(engine) or not takes(engine, 2):
        raise UnknownNameError(
            f"{quoted(getattr(engine, '__name__', engine))} is not an engine; expected a name, an EngineSpec, or a "
            "generator function of a problem and a tree (check_engine also takes a function that returns a path)"
        )
    name = getattr(engine, "__name__", repr(engine))  # an object that can be called may have no name
    return EngineSpec(name, engine, heuristic="optional", options=arguments_of(engine, name)[2:])


def choose_engine(problem: SearchProblem[State, Action]) -> tuple[EngineSpec, str]:
    """Return the engine that suits the problem, and the reason.

    The first that applies: an engine that is made for problems with a capability that this one has; A* if there is a
    heuristic; breadth-first if all actions cost 1; a bucket queue if the actions of the first start states have integer
    costs (it is right, but slower, if other costs come later); Dijkstra's algorithm.
    """
    found = registry()
    for spec in found.engines.values():
        if spec.preferred and all(offers(problem, capability) for capability in spec.requires):
            return spec, f"it is made for {' and '.join(each.__name__ for each in spec.requires)} problems"
    if has_heuristic(problem):
        return found.engine("astar"), "the problem has a heuristic"
    if not has_cost(problem):
        return found.engine("bfs"), "every action costs 1 and there is no heuristic"
    try:
        costs = [
            python_number(problem.cost(state, action, successor))
            for state in islice(distinct_starts(problem), 8)
            for action, successor in problem.successors(state)
        ]
    except Exception:  # the engine will find the same fault, and report whose it is
        costs = []
    if costs and all(isinstance(cost, int) for cost in costs):
        return found.engine("bucket"), "costs are integers and there is no heuristic"
    return found.engine("dijkstra"), "costs are not integers and there is no heuristic"


def offers(problem: object, capability: type) -> bool:
    """Whether the problem has a capability, a protocol: `isinstance`, which takes 15 µs with Python 3.11."""
    return all(getattr(problem, name, None) is not None for name in _members(capability))


@cache
def _members(capability: type) -> list[str]:
    kinds = [kind for kind in capability.__mro__ if getattr(kind, "_is_protocol", False)]
    return [name for kind in kinds for name in vars(kind) if not name.startswith("_")]


def _meaning(capability: type) -> str:
    """Return what a problem with a capability is: the first sentence of its docstring."""
    sentence = (capability.__doc__ or capability.__name__).partition("\n")[0].partition(". ")[0].rstrip(".")
    return sentence[0].lower() + sentence[1:]


def missing_capabilities(
    problem: SearchProblem[State, Action], spec: EngineSpec, *, translates: bool = False
) -> list[str]:
    """Return what the engine needs and the problem lacks, with the missing members.

    With `translates`, it need not be `Compilable`, if its compiled view is made from its Python.
    """
    translates = translates and needs_translation(problem, spec)
    missing = ["heuristic(state)"] if spec.heuristic == "required" and not has_heuristic(problem) else []
    return missing + [
        f"{' and '.join(sorted(_members(capability)))} (of {_meaning(capability)})"
        for capability in spec.requires
        if not (offers(problem, capability) or (translates and capability is Compilable))
    ]


def check_capabilities(
    problem: SearchProblem[State, Action], spec: EngineSpec, *, translates: bool = False
) -> None:
    """Raise `MissingCapabilityError` if the engine needs what the problem lacks; name the engines that would work."""
    if missing := missing_capabilities(problem, spec, translates=translates):
        advice = misspelt(type(problem), "heuristic") if spec.heuristic == "required" else ""
        advice = "give adapt(…, heuristic=…) one" if isinstance(problem, Adapted) else advice or "define it"
        raise MissingCapabilityError(
            f"engine {spec.name!r} needs {' and '.join(missing)}, which {type(problem).__name__} does not have; "
            f"{advice}, or use one of {', '.join(spec.name for spec in fitting_engines(problem)[:6])}, …"
        )


def fitting_engines(problem: SearchProblem[State, Action]) -> list[EngineSpec]:
    """Return the engines that can run on the problem, in the order of the registry."""
    return [spec for spec in registry().engines.values() if not missing_capabilities(problem, spec)]


COMPARED_AFTER = 1_000
"""The expansions after which `auto` compares its engine with a bidirectional search, which has no machine code; the one
that has proved the larger lower bound continues."""
BACKENDS = ("auto", "python", "compiled")
TRIAL = 64
"""Expansions of a kernel before it replaces Python, to find out whether everything is compiled."""
COLD_SECONDS, WARM_SECONDS = 0.3, 0.02
"""How many seconds of CPU time `auto` searches in Python before it begins again as machine code, where Numba has to be
imported or a problem to be translated first, and elsewhere. That is about what it takes, so that a search never takes
more than about twice the time of the better choice (the ski-rental argument: Karlin, Manasse, Rudolph and Sleator
1988)."""


def check_backend(backend: str, problem: SearchProblem[Any, Any], spec: EngineSpec) -> None:
    """Check that the engine can search the problem by this backend.

    Raises:
        UnknownNameError: there is no such backend.
        MissingCapabilityError: the engine or the problem has no compiled form.
        MissingExtraError: Numba is not installed.

    """
    if backend not in BACKENDS:
        listing = f"there are {', '.join(BACKENDS)}"
        raise UnknownNameError(unknown(f"there is no backend {backend!r}", backend, BACKENDS, listing))
    if backend == "python" and spec.machine_code_only:
        spec.run(problem, None)  # which says that it is machine code only
    if (backend == "compiled" or spec.machine_code_only) and (fault := compiled_fault(problem, spec)):
        raise fault


def compiled_fault(problem: SearchProblem[Any, Any], spec: EngineSpec) -> SearchkitError | None:
    """Return the error that says why this can't be machine code; None if it can."""
    instead = "use backend='python', or 'auto' to have the fastest there is"
    if not spec.kernel:
        return MissingCapabilityError(f"engine {spec.name!r} has no compiled form; {instead}")
    if spec.kernel_needs_view and not (has_view(problem) or needs_translation(problem, spec)):
        return MissingCapabilityError(
            f"{type(problem).__name__} has no compiled form (it is not Compilable: it has no compiled()); {instead}"
        )
    if not numba_found():
        return MissingExtraError(
            f"engine {spec.name!r} as machine code needs numpy and Numba; install them with: pip install "
            "'statespace-searchkit[fast]'"
        )
    return None


def has_view(problem: object) -> bool:
    """Whether the problem has a compiled view of its own."""
    return getattr(problem, "compiled", None) is not None


def needs_translation(problem: object, spec: EngineSpec) -> bool:
    """Whether the problem can be machine code only if it is translated. Kernels of plugins want views of theirs."""
    own = ":" not in spec.kernel or spec.kernel.startswith("searchkit.")
    return spec.kernel_needs_view and own and not has_view(problem)


def numba_found() -> bool:
    """Whether Numba is installed. Looking for it may take as long as a small search."""
    return sys.modules.get("numba") is not None or find_spec("numba") is not None
