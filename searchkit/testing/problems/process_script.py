"""The script of a separate process that reports in which order problems answer there.

It reads a pickle of (import path, largest number of states, pickled problems), and writes a pickle of (error message or
None; for each problem its (state, pairs) in the order of a walk).
"""

import pickle
import sys
from io import StringIO
from itertools import islice
from typing import Any

MOST = 200
"""The largest number of successors of a state that are reported."""


def made(text: bytes) -> Any:
    """Return the problem of a pickle, which holds the problem or the result of `searchkit.plugin.loading.write`."""
    problem = pickle.loads(text)
    if hasattr(problem, "successors"):
        return problem
    from searchkit.plugin.loading import (
        load,  # not above: most problems are pickled directly and need no plugins
    )

    return load(StringIO(problem.text), problem.kind, **problem.options)


def walk(problem: Any, most: int) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Return the first states of a walk, each with its successors, in order."""
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
    """Read a pickle from stdin and write the answer to stdout."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # output of a problem is not part of the answer
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
