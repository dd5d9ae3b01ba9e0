"""Trying machine code in another process first: if it crashes there, or differs from Python, nothing else is lost.

A fork of this process is quickest, and is safe if it has one thread. If it has more, a new process gets the problem
pickled.
"""

import faulthandler
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

from searchkit.errors import shortened
from searchkit.translate.translation import Comparison, GrowthError, Translation
from searchkit.translate.values import TranslationError

STRIDE = 4
"""If time is short, the states that are compared come from all of the sample: first every fourth."""
LEAST_STATES = 1_000
"""So many states of the sample are compared, however long that takes, if it has as many."""
WAIT_SECONDS = 0.02
"""How long a wait lasts, before the caller is asked to do something else."""
MOST_SECONDS = 20.0
"""A process that takes longer is ended."""


Verdict = tuple[int, bool] | Exception
"""How many states were compared, and whether machine code was faster; or what is wrong with it."""


def judged(translation: Translation, sample: Sequence[Any], seconds: float) -> Verdict:
    """Compare machine code with Python in this process, on states from all of the sample, for about so many seconds.

    The states of a `GrowthError` are their places in the sample.
    """
    comparison = Comparison(translation)
    places = [place for first in range(STRIDE) for place in range(first, len(sample), STRIDE)]
    try:
        comparison.compare((sample[place] for place in places), seconds, LEAST_STATES)
    except GrowthError as stop:
        at = {id(sample[place]): place for place in places}
        return GrowthError(stop.why, stop.line, [at[id(state)] for state in stop.states])
    except TranslationError as difference:
        return type(difference)(shortened(str(difference), 300))
    return comparison.states, comparison.pays


def can_fork() -> bool:
    """Whether a fork of this process is safe: it has one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def by_fork(call: Callable[[], Verdict]) -> Generator[None, None, Verdict]:
    """Return what a function returns in a fork of this process; yield meanwhile. Raises `TranslationError`."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's threads, which are idle, count for Python 3.12
        child = os.fork()
    if not child:
        _answer(call, writer)
    os.close(writer)
    end, status = monotonic() + MOST_SECONDS, -1
    with os.fdopen(reader, "rb") as answer:
        try:
            while not select([answer], [], [], WAIT_SECONDS)[0]:
                if monotonic() > end:
                    raise TranslationError("comparing it with Python takes too long")
                yield
            data = answer.read()
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        finally:
            if status == -1:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)
    return _verdict(data, status)


def _answer(call: Callable[[], Verdict], writer: int) -> None:
    """Write what a function returns, and end this process."""
    code = 1
    try:
        gc.disable()
        faulthandler.disable()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with os.fdopen(writer, "wb") as file:
            pickle.dump(call(), file)
        code = 0
    finally:
        os._exit(code)


def by_process(translation: Translation, sample: Sequence[Any], seconds: float) -> Verdict:
    """Return the verdict of a new process. Raises `TranslationError` if it can't be had."""
    task = _pickled((translation, list(sample), seconds))
    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    try:
        done = subprocess.run(
            [sys.executable or "python", "-P", "-m", "searchkit.translate.trial"],
            input=task,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            timeout=MOST_SECONDS,
            check=False,
            start_new_session=True,  # Ctrl-C in a terminal is for the search
        )
    except subprocess.TimeoutExpired:
        raise TranslationError("comparing it with Python takes too long") from None
    except (OSError, ValueError, MemoryError) as error:
        raise TranslationError(f"no process that tries it first can be started: {error}") from None
    return _verdict(done.stdout, done.returncode)


def _pickled(task: Any) -> bytes:
    try:
        if find_spec("cloudpickle") is None:
            return pickle.dumps(task)
        import cloudpickle

        return cloudpickle.dumps(task)  # type: ignore[no-any-return]  # it has no types
    except Exception as error:  # a class may raise anything
        raise TranslationError(
            "it can't be tried first in another process, as the problem can't be pickled "
            f"({shortened(str(error), 120)}){_ADVICE}"
        ) from None


_ADVICE = "" if find_spec("cloudpickle") else "; install cloudpickle, which pickles more"


def _verdict(data: bytes, status: int) -> Verdict:
    if status < 0:
        raise TranslationError(f"its machine code crashed when it was tried ({signal.Signals(-status).name})")
    try:
        found = pickle.loads(data)
    except Exception:
        found = None
    if not isinstance(found, tuple | Exception):
        raise TranslationError(f"it can't be tried first in another process (exit code {status}){_ADVICE}")
    return found


def _main() -> None:
    output = os.dup(1)
    os.dup2(2, 1)  # what a problem prints is not the answer
    with suppress(AttributeError):
        os.nice(5)
    translation, sample, seconds = pickle.load(sys.stdin.buffer)
    _answer(lambda: judged(translation, sample, seconds), output)


if __name__ == "__main__":
    from searchkit.translate import trial  # whose classes the answer is pickled by

    trial._main()
