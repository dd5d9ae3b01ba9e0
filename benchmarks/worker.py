"""The process of one contender for one task: `python -m benchmarks.worker`.

Reads requests from standard input and writes replies to standard output, one line of JSON each. The first request is
{"module": …, "kind": …, "file": …}, with the arrays in a file of numpy's; the reply is {"build": seconds}. Each
further request, {}, is a search; the reply is {"seconds": …, "value": …}. A reply may also be {"problem": …}. Seconds
are CPU time of this process, threads included; computing the value of an answer is not timed.
"""

import gc
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np


def build(request: dict[str, str]) -> tuple[Callable[[], Any], Callable[[Any], float], float]:
    """Return the search of a contender, what makes a number of its answer, and the seconds that building took."""
    module = import_module(request["module"])
    for library in module.LIBRARIES:
        import_module(library)
    if hasattr(module, "warm"):
        module.warm()
    with np.load(request["file"]) as file:
        arrays = dict(file)
    made, seconds = timed(lambda: getattr(module, request["kind"])(arrays))
    return (*made, seconds) if isinstance(made, tuple) else (made, value, seconds)


def value(answer: Any) -> float:
    """Return a number as it is; of distances, the sum of the finite ones."""
    if isinstance(answer, int | float):
        return float(answer)
    distances = np.asarray(answer, np.float64)
    return float(distances.sum(where=distances < 1e300))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a piece of work returns, and the CPU seconds that it takes."""
    gc.collect()
    begin = process_time()
    found = work()
    return found, process_time() - begin


def serve() -> None:
    """Answer requests until there are no more."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a library may print; that is not a reply
    search: Callable[[], Any] | None = None
    number: Callable[[Any], float] = value
    for line in sys.stdin:
        request = json.loads(line)
        reply: dict[str, object]
        try:
            if search is None:
                search, number, seconds = build(request)
                gc.freeze()
                reply = {"build": seconds}
            else:
                answer, seconds = timed(search)
                reply = {"seconds": seconds, "value": number(answer)}
                del answer
        except Exception as error:  # whatever a library raises is a row of the table
            reply = {"problem": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    serve()
