"""Every engine that can search a vault, with every heuristic that it reads, on every vault that ships."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from searchkit import Limits, SearchProblem, Status, available_engines, solve
from searchkit.plugin import EngineSpec, InvalidProblemError
from searchkit_keys import ContractedVault, ExpandedVault
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.options import EXPANDED_HEURISTICS
from searchkit_keys.spec import manifest
from searchkit_keys.tests.helpers import ANSWERS, shipped

FEW, MANY = 1_000, 100_000
"""Expansions: for searches that are known to be too large, and for all others, which need fewer."""
NAMES = {"contracted": tuple(HEURISTICS), "expanded": EXPANDED_HEURISTICS}
LIMITED = ("beam", "dls", "smastar")
"""Engines with a limit of their own: where it is reached, their end says nothing about the vault."""
ENGINES = {name: spec for name, spec in available_engines().items() if name not in LIMITED}


@frozen
class TooBig:
    """Searches that do not end within `MANY` expansions, and why."""

    vault: str
    form: str
    why: str
    engines: frozenset[str] = frozenset(ENGINES)
    heuristics: frozenset[str] = frozenset(HEURISTICS) | frozenset(EXPANDED_HEURISTICS)


PATHS = frozenset(name for name, spec in ENGINES.items() if spec.memory == "depth")
DEEPENING = PATHS - {"dfs"}
WEAK, STRONG = frozenset({"zero", "furthest+missing-1"}), frozenset({"combined", "mst"})
REPEATS = "an engine that keeps one path alone sees each state as often as there are paths to it"
TOO_BIG = (
    TooBig("closed_set_wrong_on_forest_2robots.txt", "expanded", REPEATS, PATHS - {"dfs", "idastar"}),
    TooBig(
        "closed_set_wrong_on_forest_2robots.txt",
        "expanded",
        REPEATS,
        frozenset({"idastar"}),
        frozenset({"zero"}),
    ),
    TooBig("closed_set_wrong_4robots_a.txt", "expanded", REPEATS, PATHS),
    TooBig("big_braided_1robot_12keys.txt", "expanded", REPEATS, DEEPENING),
    TooBig("big_braided_1robot_12keys.txt", "contracted", REPEATS, DEEPENING - {"idastar"}),
    TooBig("big_braided_1robot_12keys.txt", "contracted", REPEATS, frozenset({"idastar"}), WEAK),
    TooBig("big_braided_2robots_10keys.txt", "contracted", REPEATS, DEEPENING - {"idastar"}),
    TooBig(
        "big_braided_2robots_10keys.txt",
        "contracted",
        REPEATS,
        frozenset({"idastar"}),
        frozenset(HEURISTICS) - STRONG,
    ),
    TooBig(
        "big_braided_2robots_10keys.txt",
        "expanded",
        "above 1.5 million states; only a greedy search does without most of them",
        frozenset(ENGINES) - {"greedy"},
    ),
    TooBig("generated81.txt", "contracted", REPEATS, DEEPENING),
    TooBig("generated81.txt", "expanded", "3.5 million states", frozenset(ENGINES) - {"greedy"}),
)


def too_big(name: str, form: str, engine: str, heuristic: str) -> bool:
    """Whether a search is known to be too large."""
    return any(
        (name, form) == (entry.vault, entry.form)
        and engine in entry.engines
        and heuristic in entry.heuristics
        for entry in TOO_BIG
    )


def problem_of(name: str, form: str, heuristic: str) -> SearchProblem[Any, Any]:
    """Return a vault in one of its two forms."""
    return (
        ContractedVault(shipped(name), heuristic)
        if form == "contracted"
        else ExpandedVault(shipped(name), heuristic)
    )


def searches() -> Iterator[tuple[str, str, str, str]]:
    """Yield vault, form, engine and heuristic; only one heuristic if the engine uses none."""
    for name in ANSWERS:
        for form, heuristics in NAMES.items():
            problem = problem_of(name, form, heuristics[0])
            for engine, spec in ENGINES.items():
                if not all(isinstance(problem, capability) for capability in spec.requires):
                    continue
                if form == "contracted" and spec.costs == "zero-one":
                    continue
                if engine in ("rbfs", "k_best") and name in {entry.vault for entry in TOO_BIG}:
                    continue  # rbfs takes seconds to minutes, by the heuristic, and k_best looks for several paths
                for heuristic in heuristics[:1] if spec.heuristic == "unused" else heuristics:
                    if not spec.consistent or form == "expanded" or HEURISTICS[heuristic].consistent:
                        yield name, form, engine, heuristic


def promises(spec: EngineSpec, name: str, form: str, heuristic: str) -> bool:
    """Whether the engine has to find the least cost here, by the promises of the engine and of the heuristic."""
    right_costs = spec.costs != "unit" or form == "expanded"
    everywhere = form == "expanded" or HEURISTICS[heuristic].admissible == "always"
    right_bound = spec.heuristic == "unused" or everywhere or manifest()[name]["shape"] == SAFE_SHAPE
    return spec.optimal and right_costs and right_bound


SAFE_SHAPE = "forest, one robot per region"


@pytest.mark.one_in(11)
@pytest.mark.parametrize(("name", "form", "engine", "heuristic"), [*searches()])
def test_every_engine_with_every_heuristic(name: str, form: str, engine: str, heuristic: str) -> None:
    """The known answer if engine and heuristic promise it, never less; a search that is too large has a valid bound."""
    spec, answer = ENGINES[engine], ANSWERS[name]
    big = too_big(name, form, engine, heuristic)
    result = solve(problem_of(name, form, heuristic), engine, limits=Limits(expansions=FEW if big else MANY))
    assert (result.status is Status.CUTOFF) == big
    if big:
        assert result.statistics.expanded == FEW
        assert result.solution is None
        assert answer is None or result.lower_bound <= answer
        return
    assert (result.status is Status.UNSOLVABLE) == (answer is None)
    if answer is None:
        return
    assert result.cost is not None
    assert result.cost >= answer
    if promises(spec, name, form, heuristic):
        assert (result.cost, result.lower_bound, result.optimal) == (answer, answer, True)


def test_engines_for_costs_of_0_and_1_refuse_the_contraction() -> None:
    """Routes between keys have any length, and engines for unit costs reject them, whatever the heuristic."""
    refused = [name for name, spec in ENGINES.items() if spec.costs == "zero-one" and not spec.requires]
    assert refused
    for engine in refused:
        with pytest.raises(InvalidProblemError, match="costs"):
            solve(problem_of("open_area_several_routes.txt", "contracted", "zero"), engine)
