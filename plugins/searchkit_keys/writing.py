"""Writing a vault, the inverse of reading it."""

from searchkit.plugin import Written
from searchkit_keys.bounds import BOUNDS, DEFAULT
from searchkit_keys.contracted import ContractedVault
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.options import EXPANDED_BOUNDS


def write(problem: object) -> Written | None:
    """Return either problem of a vault as its text, with options; None for any other problem.

    None also for what no file can say: a vault without a start, or with two keys of one letter.
    """
    options: dict[str, object] = {}
    if type(problem) is ContractedVault:
        if problem.bound is not BOUNDS[DEFAULT]:
            options["heuristic"] = problem.bound.name
    elif type(problem) is ExpandedVault:
        options["contracted"] = False
        if problem.bound != EXPANDED_BOUNDS[0]:
            options["heuristic"] = problem.bound
    else:
        return None
    vault = problem.vault
    keys = [mark for row in vault.rows for mark in row if mark.islower()]
    if not vault.starts or len(keys) > len(vault.keys):
        return None
    return Written("keys", "".join(f"{row}\n" for row in vault.rows), options)
