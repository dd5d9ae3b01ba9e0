"""Reading vaults from text, and writing them."""

import re
import warnings
from collections.abc import Iterable, Mapping
from textwrap import dedent
from typing import Any, TypeAlias

from searchkit.plugin import InputFormatError, PluginWarning, Source, Written
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.heuristics import DEFAULT, HEURISTICS
from searchkit_keys.options import EXPANDED_HEURISTICS, fitting, parse
from searchkit_keys.vault import WALL, Vault

VaultProblem: TypeAlias = ContractedVault | ExpandedVault
EXPECTED = "# wall, . floor, @ a robot's start, a to z keys, A to Z doors"
UNKNOWN = re.compile(r"[^#.@a-zA-Z]")
LIKELY = 0.25
"""A text is taken for a vault if at least this share of its characters is walls and floor,"""
FOREIGN = 0.1
"""and less than this share is unknown in vaults."""


class RaggedVaultWarning(PluginWarning):
    """The lines of a vault have unequal lengths and were padded with walls."""


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
    return make_problem(read_vault("", "\n".join(text.splitlines())), parse(options))


def read(source: Source, **options: Any) -> VaultProblem:
    """Return the problem of the vault in a file."""
    return make_problem(read_vault(source.name, source.text), fitting(options))


def make_problem(drawn: Vault, chosen: Mapping[str, Any]) -> VaultProblem:
    """Return the problem of a vault with options that `searchkit_keys.options.parse` has read."""
    if chosen["split"]:
        drawn = drawn.split()
    problem = ContractedVault if chosen["contracted"] else ExpandedVault
    return problem(drawn, chosen["heuristic"])


def is_vault(text: str) -> bool:
    """Whether a text looks like a vault, valid or not: it has a start, walls or floor, and no spaces inside lines."""
    lines = text.split()
    size = sum(map(len, lines))
    return (
        "@" in text
        and "$" not in text  # a level of Sokoban
        and len(lines) == sum(1 for line in text.split("\n") if line.strip())
        and text.count("#") + text.count(".") >= LIKELY * size
        and sum(len(UNKNOWN.findall(line)) for line in lines) < FOREIGN * size
    )


def read_vault(name: str, text: str) -> Vault:
    """Return the vault that `text` draws.

    Blank lines before and after the vault and blanks at the ends of lines are ignored. Lines of unequal length are
    padded with walls, with a `RaggedVaultWarning`.

    Raises `InputFormatError`, with `name`, line and column, if the text has no vault or no start, if a
    character is unknown, and if two keys have the same letter.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    drawn = [number for number, line in enumerate(lines) if line]
    if not drawn:
        raise InputFormatError(
            f"the file is empty; expected a vault: {EXPECTED}", source=name, line=1, column=1
        )
    first = drawn[0]
    rows = lines[first : drawn[-1] + 1]
    keys: dict[str, tuple[int, int]] = {}
    for number, row in enumerate(rows, first + 1):
        unknown = UNKNOWN.search(row)
        if unknown:
            raise InputFormatError(
                f"unknown character {unknown[0]!r}; expected {EXPECTED}",
                source=name,
                line=number,
                column=unknown.start() + 1,
            )
        for column, mark in enumerate(row, 1):
            if mark.islower():
                if mark in keys:
                    before = "line {}, column {}".format(*keys[mark])
                    raise InputFormatError(
                        f"key {mark} is here and at {before}; expected each key once: "
                        "give one of them another letter",
                        source=name,
                        line=number,
                        column=column,
                    )
                keys[mark] = number, column
    if not any("@" in row for row in rows):
        raise InputFormatError(
            "the vault has no start; mark the cell of each robot with @", source=name, line=first + 1
        )
    width = max(map(len, rows))
    ragged = [number for number, row in enumerate(rows, first + 1) if len(row) < width]
    if ragged:
        warnings.warn(
            f"{name or 'the vault'}: line {ragged[0]}"
            + (f" and {len(ragged) - 1} more are" if len(ragged) > 1 else " is")
            + f" shorter than the longest line, of {width} cells; filled up with wall",
            RaggedVaultWarning,
            stacklevel=2,
        )
    return Vault.of(tuple(row.ljust(width, WALL) for row in rows))


def write(problem: object) -> Written | None:
    """Return either problem of a vault as text with options; None for any other problem.

    Returns None also for vaults that no file can express: without a start, or with two keys of the same letter.
    """
    options: dict[str, object] = {}
    if type(problem) is ContractedVault:
        if problem.heuristic_spec is not HEURISTICS[DEFAULT]:
            options["heuristic"] = problem.heuristic_spec.name
    elif type(problem) is ExpandedVault:
        options["contracted"] = False
        if problem.heuristic_name != EXPANDED_HEURISTICS[0]:
            options["heuristic"] = problem.heuristic_name
    else:
        return None
    vault = problem.vault
    keys = [mark for row in vault.rows for mark in row if mark.islower()]
    if not vault.starts or len(keys) > len(vault.keys):
        return None
    return Written("keys", "".join(f"{row}\n" for row in vault.rows), options)
