"""Reading vaults from text, and writing them."""

import re
import warnings
from typing import TypeAlias

from searchkit.plugin import InputFormatError, PluginWarning, options_of
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
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


def write(problem: object) -> tuple[str, dict[str, object]] | None:
    """Return either problem of a vault as text with options; None for any other problem.

    Returns None also for vaults that no file can express: without a start, or with two keys of the same letter.
    """
    if type(problem) not in (ContractedVault, ExpandedVault):
        return None
    vault: Vault = problem.vault  # type: ignore[attr-defined]  # of both
    keys = [mark for row in vault.rows for mark in row if mark.islower()]
    if not vault.starts or len(keys) > len(vault.keys):
        return None
    form = {} if type(problem) is ContractedVault else {"contracted": False}
    return "".join(f"{row}\n" for row in vault.rows), form | options_of(problem)
