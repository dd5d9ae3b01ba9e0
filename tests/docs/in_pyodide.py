"""Run in Pyodide by `test_playground.py`: what searchkit promises there, one line of JSON for each problem."""

import json

from searchkit import Limits, available_engines, certify, load, solve

NAMES = ("8puzzle", "crypt", "fairway", "gates", "island", "maze", "siding", "streets", "vault", "vault2")
"""Examples of all six plugins."""

print(json.dumps({"engines": sorted(available_engines())}))
for name in NAMES:
    problem = load(name)
    result = solve(problem, limits=Limits(expansions=1000))
    verdict = certify(problem, result)
    print(
        json.dumps(
            {
                "name": name,
                "engine": result.engine,
                "status": result.status.name,
                "cost": str(result.cost),
                "expanded": result.statistics.expanded,
                "generated": result.statistics.generated,
                "accepted": verdict.accepted,
                "proved": verdict.proved,
            }
        )
    )
