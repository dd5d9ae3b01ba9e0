"""Errors about names that are not known: which one was meant, and which there are."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

ALIKE = 0.7
"""How alike two names have to be, from 0 to 1, as `difflib` measures it."""
MOST = 2


def unknown(
    what: str, name: object, known: Iterable[str], expected: str, aliases: Mapping[str, str] | None = None
) -> str:
    """Return the message of an error about a name.

    Args:
        what: what is wrong: `there is no engine 'asta'`.
        name: the name that was given.
        known: the names that there are.
        expected: what else the message says, such as the list of them: `there are astar, bfs`.
        aliases: other words → the known name that they stand for.

    Example:
        >>> unknown("there is no engine 'asta'", "asta", ["astar", "bfs"], "there are astar, bfs")
        "there is no engine 'asta': did you mean astar? There are astar, bfs"

    """
    meant = _meant(name, list(known), aliases or {})
    if not meant:
        return f"{what}; {expected}"
    return f"{what}: did you mean {' or '.join(meant)}? {expected[:1].upper()}{expected[1:]}"


def _meant(name: object, known: list[str], aliases: Mapping[str, str]) -> list[str]:
    """Return the names that may be meant. Upper case and signs between words don't count: `A-Star` is `astar`."""
    words = {_plain(alias): meant for alias, meant in aliases.items() if meant in known}
    words |= {_plain(other): other for other in known}
    wanted = _plain(name)
    if wanted in words:
        return [words[wanted]]
    close = get_close_matches(wanted, words, n=MOST, cutoff=ALIKE)
    return list(dict.fromkeys(words[match] for match in close))


def _plain(name: object) -> str:
    return re.sub(r"[\s_-]", "", str(name).lower())
