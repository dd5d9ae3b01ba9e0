"""The specifications that the plugin registers: the problem with its examples, and the generator."""

import json
from pathlib import Path
from typing import Any

from searchkit.plugin import Example, GeneratorSpec, Parameter, ProblemSpec, boolean, imported_late
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.files import is_vault, read, vault, write
from searchkit_keys.generator import generate_vault
from searchkit_keys.options import PARAMETERS
from searchkit_keys.render import places, site_graph

VAULTS = Path(__file__).parent / "vaults"


STRATEGY = imported_late("searchkit_keys.strategies", "problems")


def manifest() -> dict[str, dict[str, Any]]:
    """Return the facts about each bundled vault: file name → answer, robots, shape, note."""
    known: dict[str, dict[str, Any]] = json.loads((VAULTS / "manifest.json").read_text(encoding="utf-8"))
    return known


def _text(**options: Any) -> str:
    return "\n".join(generate_vault(**options).rows) + "\n"


GENERATOR = GeneratorSpec(
    name="vault",
    summary="a solvable maze with keys at dead ends and a door for most of them",
    parameters=(
        Parameter("size", "cells in a row and in a column", default=81, convert=int),
        Parameter("keys", "the number of keys, 0 to 26", default=26, convert=int),
        Parameter("seed", "the seed of the random number generator", default=0, convert=int),
        Parameter(
            "quadrants",
            "true: four perfect mazes around an open centre, so that it can be split; false: one perfect maze",
            default=True,
            convert=boolean,
        ),
        Parameter("loops", "the number of walls to open afterwards", default=0, convert=int),
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
    strategy=STRATEGY,
    strategies={"vaults": STRATEGY},
    generators=(GENERATOR,),
    read=read,
    recognise=lambda source, options: is_vault(source.text),
    classes=(ContractedVault, ExpandedVault),
    places=places,
    contract=lambda problem: site_graph(problem.vault),
    write=write,
)
