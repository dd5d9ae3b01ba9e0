"""The specifications that the plugin registers: the problem with its examples, and the generator."""

from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent
from typing import Any

from searchkit.plugin import (
    Example,
    GeneratorSpec,
    Parameter,
    ProblemSpec,
    Source,
    parameters_of,
)
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.files import VaultProblem, is_vault, read_vault, write
from searchkit_keys.generator import generate_vault
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.render import places, site_graph
from searchkit_keys.vault import Vault

VAULTS = Path(__file__).parent / "vaults"
CONTRACTED, EXPANDED = (parameters_of(kind)[0] for kind in (ContractedVault, ExpandedVault))
PARAMETERS = (
    Parameter(
        "contracted",
        "true: search the graph of keys; false: search the grid, cell by cell",
        default=True,
    ),
    Parameter(
        "split",
        "true: rebuild the 3×3 cells around the one start as walls and four starts",
        default=False,
    ),
    Parameter(
        "heuristic",
        f"with contracted=true: {CONTRACTED.help}; with contracted=false: {EXPANDED.help}; by default the first one",
        choices=(*HEURISTICS, "bounding-box"),
    ),
)


def vault(map: str | Iterable[str], **options: object) -> VaultProblem:
    """Return the problem of a text vault: collect every key in the fewest steps.

    Args:
        map: the vault, as one text or as a list of rows: `#` wall, `.` floor, `@` a robot's start, `a` to `z`
            keys, `A` to `Z` doors.
        options: `contracted`, `split` and `heuristic`, as for a file.

    Raises:
        InputFormatError: the vault is invalid; the message names the place.
        UnknownNameError, InvalidOptionError: an option does not exist, or its value is invalid.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_keys import vault
        >>> result = solve(vault(["#########", "#b.A.@.a#", "#########"]))
        >>> result.cost, result.solution.actions
        (8, (a (2 steps from @), b (6 steps from a)))

    """
    text = dedent(map) if isinstance(map, str) else "\n".join(map)
    return make_problem(read_vault("", "\n".join(text.splitlines())), **SPEC.parse(options))


def read(source: Source, **options: Any) -> VaultProblem:
    """Return the problem of the vault in a file."""
    return make_problem(read_vault(source.name, source.text), **options)


def make_problem(drawn: Vault, contracted: bool, split: bool, heuristic: str | None) -> VaultProblem:
    """Return the problem of a vault. Raises `InvalidOptionError` for a heuristic of the other form."""
    problem = ContractedVault if contracted else ExpandedVault
    given = {} if heuristic is None else {"heuristic": heuristic}
    return problem(drawn.split() if split else drawn, **given)


def _text(**options: Any) -> str:
    return "\n".join(generate_vault(**options).rows) + "\n"


GENERATOR = GeneratorSpec(
    name="vault",
    summary="a solvable maze with keys at dead ends and a door for most of them",
    parameters=(
        Parameter("size", "cells in a row and in a column", default=81),
        Parameter("keys", "the number of keys, 0 to 26", default=26),
        Parameter("seed", "the seed of the random number generator", default=0),
        Parameter(
            "quadrants",
            "true: four perfect mazes around an open centre, so that it can be split; false: one perfect maze",
            default=True,
        ),
        Parameter("loops", "the number of walls to open afterwards", default=0),
    ),
    make=_text,
)

SPEC = ProblemSpec(
    name="keys",
    summary="vaults of keys and doors: robots that share their keys collect them all",
    group="Maps",
    factory=vault,
    parameters=PARAMETERS,
    examples=(
        Example("vault", VAULTS / "big_braided_1robot_12keys.txt", "25x25 with loops, 12 keys, one robot"),
        Example("vault2", VAULTS / "big_braided_2robots_10keys.txt", "25x25 with loops, 10 keys, two robots"),
        Example("vault4", VAULTS / "closed_set_wrong_4robots_a.txt", "four robots, a quarter each, 8 keys"),
        Example("vault81", VAULTS / "generated81.txt", "81x81, a perfect maze in each quarter, 26 keys"),
    ),
    strategies={"vaults": "searchkit_keys.strategies:problems"},
    generators=(GENERATOR,),
    read=read,
    formats=(lambda source, options: is_vault(source.text),),
    classes=(ContractedVault, ExpandedVault),
    places=places,
    contract=lambda problem: site_graph(problem.vault),
    write=write,
)
