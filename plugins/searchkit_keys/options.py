"""The options of a vault, and the problem that they make of it."""

from collections.abc import Iterable, Mapping
from textwrap import dedent
from typing import TypeAlias

from searchkit.plugin import InvalidOptionError, Parameter, boolean, parse_options
from searchkit_keys.bounds import BOUNDS
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.text import read_vault
from searchkit_keys.vault import Vault

VaultProblem: TypeAlias = ContractedVault | ExpandedVault
EXPANDED_BOUNDS = ("bounding-box", "zero")
PARAMETERS = (
    Parameter(
        "contracted",
        "true: search the graph of keys; false: search the grid, cell by cell",
        default=True,
        convert=boolean,
    ),
    Parameter(
        "split",
        "true: rebuild the 3×3 cells around the one start as walls and four starts",
        default=False,
        convert=boolean,
    ),
    Parameter(
        "heuristic",
        "contracted: "
        + "; ".join(bound.label for bound in BOUNDS.values())
        + ". Not contracted: bounding-box (box around the missing keys, with several robots the key that is furthest "
        "from its nearest robot; admissible, consistent) or zero. By default the first of each",
        choices=(*BOUNDS, "bounding-box"),
    ),
)


def vault(map: str | Iterable[str], **options: object) -> VaultProblem:
    """Return the problem of a vault that is drawn as text: collect every key in the fewest steps.

    Args:
        map: the vault, as one text or as a list of rows: `#` wall, `.` floor, `@` a robot's start, `a` to `z`
            keys, `A` to `Z` doors.
        options: `contracted`, `split` and `heuristic`, as for a file.

    Raises:
        InputFormatError: the vault is faulty; the message says where.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_keys import vault
        >>> result = solve(vault(["#########", "#b.A.@.a#", "#########"]))
        >>> result.cost, result.solution.actions
        (8, (a (2 steps from @), b (6 steps from a)))

    """
    text = dedent(map) if isinstance(map, str) else "\n".join(map)
    return make_problem(read_vault("", "\n".join(text.splitlines())), options)


def make_problem(drawn: Vault, options: Mapping[str, object]) -> VaultProblem:
    """Return the problem that the options make of a vault. Raises `UnknownNameError`, `InvalidOptionError`."""
    chosen = {parameter.name: parameter.default for parameter in PARAMETERS}
    chosen |= parse_options("problem 'keys'", PARAMETERS, options)
    if chosen["split"]:
        drawn = drawn.split()
    contracted, heuristic = chosen["contracted"], chosen["heuristic"]
    fitting = tuple(BOUNDS) if contracted else EXPANDED_BOUNDS
    if heuristic is not None and heuristic not in fitting:
        raise InvalidOptionError(
            f"heuristic={heuristic}: with contracted={str(contracted).lower()}, expected one of {', '.join(fitting)}"
        )
    heuristic = heuristic or fitting[0]
    return ContractedVault(drawn, heuristic) if contracted else ExpandedVault(drawn, heuristic)
