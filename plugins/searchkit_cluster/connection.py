"""The connection to a cluster of Ray: made in a thread of its own, within a limit of time, with errors that say why.

A process that a client needs on the head is lost in some percent of cases when it begins, as Ray forks while gRPC is in
use: https://github.com/ray-project/ray/issues/63202. So a client connects again.
"""

import atexit
import logging
import os
import re
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from searchkit.plugin import InvalidOptionError, WorkerError

logger = logging.getLogger("searchkit")

CLIENT = "ray://"
REACH_SECONDS = 10.0
"""How long to wait until a cluster answers at all."""
BEGIN_SECONDS = 5.0
"""How long a client waits for a port at which nobody listens: its server may begin after `ray start` has ended."""
ANSWER_SECONDS = 120.0
"""How long to wait until Ray has connected, or has begun a cluster."""
CLIENT_TRIES = 6
"""How often a client connects whose process on the head is lost when it begins."""
PAUSE_SECONDS = 0.2
MISMATCH = "Version mismatch"
"""How the error begins that Ray raises if a cluster has other versions."""
SAME_VERSIONS = (
    "the cluster answers, but its versions differ: install the same Ray and the same Python, to its last number, here "
    "and on all machines of the cluster"
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""What terminals read as a colour; Ray writes it into messages."""
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",
    "GRPC_ENABLE_FORK_SUPPORT": "0",
}
"""Unless the environment says otherwise, no statistics are sent, no advice about graphics cards is printed, Ray does
not write to standard output, where results are, whenever it runs a task again, and no process is lost because it
forks while gRPC is in use."""


def checked(text: str) -> None:
    """Raise `InvalidOptionError` if a text is neither `ray` nor `ray://HOST:PORT`."""
    host, _, port = text.removeprefix(CLIENT).strip("/").rpartition(":")
    if text == "ray" or (text.startswith(CLIENT) and host and port.isdecimal() and int(port) < 1 << 16):
        return
    raise InvalidOptionError(f"workers {text!r}: expected ray, or ray://HOST:PORT, such as ray://head:10001")


class Connection:
    """A connection to a cluster, made by a thread that lives as long as it does.

    On Linux, the processes of a cluster that begins here are killed when the thread that started them ends: they ask
    the system for that by PR_SET_PDEATHSIG, which means the thread and not its process. Workers may be opened in a
    thread that ends before their tasks do, so another one starts the cluster.

    Args:
        text: `ray` or `ray://HOST:PORT`.

    Raises:
        WorkerError: no cluster answers, or none can begin. It says why and what to do.

    """

    def __init__(self, text: str):
        address = text if text.startswith(CLIENT) else os.environ.get("RAY_ADDRESS", "").strip()
        if address not in ("", "auto", "local"):
            logger.info("connecting to the Ray cluster at %s …", address)
        else:
            logger.info("looking for a Ray cluster on this machine, or starting one …")
        _reach(text, address, _advice(address))
        if address in ("", "auto"):
            _reach(text, _last_begun(), _advice(""))
        self._made = threading.Event()
        self._left = threading.Event()
        self._leaving = threading.Lock()
        """Acquired once, by whoever ends the connection: a finalizer may be called while that imports Ray's modules."""
        self._error: BaseException | None = None
        # A daemon, so that the end of the program does not wait for it. The cluster ends with the program.
        threading.Thread(target=self._keep, args=(address,), name="searchkit-ray", daemon=True).start()
        try:
            answered = self._made.wait(ANSWER_SECONDS)
        except BaseException:  # Ctrl-C: the thread leaves the cluster once it has begun
            self._left.set()
            raise
        if not answered:
            self._left.set()
            raise WorkerError(
                f"workers {text!r}: Ray has not connected within {ANSWER_SECONDS:g} s; {_advice(address)}"
            )
        if self._error is not None:
            message = described(self._error)
            advice = SAME_VERSIONS if MISMATCH in message else _advice(address)
            raise WorkerError(
                f"workers {text!r}: no cluster can be used ({message}); {advice}"
            ) from self._error
        # Before the exit handler of Ray, which began earlier: while that ends the connection, garbage may be collected,
        # and a finalizer that ends it too would wait for its own thread.
        atexit.register(self.leave)

    def leave(self) -> None:
        """Leave the cluster, and end it if it began here. Safe to call twice."""
        if self._leaving.acquire(blocking=False):
            import ray

            atexit.unregister(self.leave)
            with _signals_kept():
                ray.shutdown()
            self._left.set()

    def _keep(self, address: str) -> None:
        """Connect, and wait until the connection is left."""
        try:
            with quiet(), warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Ray Client connection timed out")  # our error says it
                _connect(address)
        except BaseException as error:
            self._error = error
            return
        finally:
            self._made.set()
        self._left.wait()
        self.leave()


def _connect(address: str) -> None:
    """Connect, or begin a cluster; again if the process is lost that Ray begins for a client."""
    import ray

    for left in reversed(range(CLIENT_TRIES)):
        try:
            ray.init(
                address or None,
                log_to_driver=False,
                logging_level=logging.ERROR,
                # The dashboard of a cluster that runs already is not for us to decide.
                **({} if address not in ("", "local") else {"include_dashboard": False}),
            )
        except ConnectionAbortedError:  # what Ray raises if that process did not begin
            if not left:
                raise
        else:
            return


def _last_begun() -> str:
    """Return the address of the cluster that `ray start` has begun last on this machine, which may have ended; or "".

    `ray.init` reads it from a file: https://docs.ray.io/en/latest/ray-core/api/doc/ray.init.html. `ray stop`
    deletes it; what kills a cluster otherwise does not.
    """
    usual = os.environ.get("TMPDIR", "/tmp") if sys.platform.startswith("linux") else "/tmp"
    with suppress(OSError, UnicodeDecodeError):
        return (Path(os.environ.get("RAY_TMPDIR", usual)) / "ray" / "ray_current_cluster").read_text().strip()
    return ""


def _reach(text: str, address: str, advice: str) -> None:
    """Connect to a cluster whose address is known, and leave it; Ray would try again for minutes.

    Raises `WorkerError` with that advice if nothing answers. A client waits for a server that has not begun.
    """
    host, _, port = address.removeprefix(CLIENT).strip("/").rpartition(":")
    if not host or not port.isdecimal():
        return
    last = monotonic() + (BEGIN_SECONDS if address.startswith(CLIENT) else 0)
    while True:
        try:
            socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
            return
        except OSError as error:
            if not isinstance(error, ConnectionRefusedError) or monotonic() > last:
                raise WorkerError(
                    f"workers {text!r}: no cluster answers at {address.removeprefix(CLIENT)} "
                    f"({error.strerror or error}); {advice}"
                ) from error
        sleep(PAUSE_SECONDS)


def _advice(address: str) -> str:
    """Return what to do if there is no connection."""
    if not address:
        return (
            "end what is left of an earlier one with ray stop, or name another one by RAY_ADDRESS=HOST:6379"
        )
    advice = "start one with ray start --head, or name one by RAY_ADDRESS=HOST:6379 or ray://HOST:10001"
    # Ray says only that time ran out if it refuses a token, or who sends none.
    if "RAY_AUTH_MODE" in os.environ:
        return f"{advice}; a cluster that asks for a token answers only if it is the same as here: ray get-auth-token"
    return (
        f"{advice}; a cluster that asks for a token, as those of Ray 2.59 and later do, answers only if "
        "RAY_AUTH_MODE=token is set"
    )


def described(error: BaseException) -> str:
    """Return an error in a line: its class and its message, of which a traceback is left out."""
    lines = [line.strip() for line in COLOUR.sub("", str(error)).splitlines() if line.strip()] or [""]
    if any(line.startswith(("Traceback ", 'File "')) for line in lines):
        lines = [lines[0].removesuffix(":") + ":", lines[-1]]
    return f"{type(error).__name__}: {' '.join(lines):.400}"


@contextmanager
def quiet() -> Iterator[None]:
    """Set the environment in which Ray's processes begin, and put it back."""
    added = {name: value for name, value in QUIET.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Keep the handler of SIGTERM, which Ray replaces by its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGTERM, handler)
