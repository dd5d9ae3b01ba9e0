"""What a process of its own runs, as a script, to say in what order problems answer there.

Reads a pickle of (path to import from, most states, pickled problems), and writes one of (reason why not, None where
there is none; for each problem its (state, pairs) in the order of a walk).
"""

import pickle
import sys
from io import StringIO
from itertools import islice
from typing import Any

MOST = 200
"""Most successors of a state that are told."""


def made(text: bytes) -> Any:
    """Return the problem that a pickle holds, as itself or as what `searchkit.plugin.loading.write` returned."""
    problem = pickle.loads(text)
    if hasattr(problem, "successors"):
        return problem
    from searchkit.plugin.loading import (
        load,  # here only: most problems come as themselves, and need no plugins
    )

    return load(StringIO(problem.text), problem.kind, **problem.options)


def walk(problem: Any, most: int) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Return the states that a walk meets first, each with its successors, in the order given."""
    states = list(problem.initial_states())
    met = set(states)
    told: list[tuple[Any, list[tuple[Any, Any]]]] = []
    for state in states:
        if len(told) == most:
            break
        pairs = [(action, successor) for action, successor in islice(problem.successors(state), MOST)]
        told.append((state, pairs))
        for _, successor in pairs:
            if successor not in met:
                met.add(successor)
                states.append(successor)
    return told


def answer() -> None:
    """Answer the pickle on stdin with one on stdout."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a problem prints is no answer
    try:
        path, most, problems = pickle.load(asked)
        sys.path[:] = path
        told = (None, [walk(made(problem), most) for problem in problems])
        text = pickle.dumps(told)
    except Exception as error:
        text = pickle.dumps((f"{type(error).__name__}: {error}", []))
    answers.write(text)


if __name__ == "__main__":
    answer()
