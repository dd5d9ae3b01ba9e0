"""`python -m tests.structure`: lower the budgets to the lines that the packages have now."""

import json

from tests.structure.tree import BUDGETS, lines_by_package

STEP = {"tests": 500}
"""Budgets are rounded up to a multiple of this, and of 50 elsewhere: so that a fault can be mended at once."""


def main() -> None:
    """Write `budgets.json`; a package that has grown keeps its budget, and its name is printed."""
    before = json.loads(BUDGETS.read_text(encoding="utf-8")) if BUDGETS.exists() else {}
    lines = lines_by_package()
    for name in sorted(name for name, n in lines.items() if n > before.get(name, n)):
        print(f"{name} has grown from {before[name]} to {lines[name]} lines")
    room = {name: -(-n // STEP.get(name, 50)) * STEP.get(name, 50) for name, n in sorted(lines.items())}
    budgets = {name: min(n, before.get(name, n)) for name, n in room.items()}
    BUDGETS.write_text(json.dumps(budgets, indent=2) + "\n", encoding="utf-8")


main()
