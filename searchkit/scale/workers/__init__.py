"""Who runs tasks: this process, other processes of this machine, or a cluster.

A task is a function of a module, with arguments that can be pickled. It is pure: if it runs twice, it gives the same
result and writes the same bytes. So a task is run again when its process is lost, and nothing else is lost with it.

Plugins add workers by the hook `searchkit_workers`; `searchkit_cluster` brings `ray`.
"""

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar, runtime_checkable

from searchkit.compiled import cores
from searchkit.errors import InvalidOptionError, PluginError, PluginWarning, UnknownNameError, unknown
from searchkit.plugin.registry import DISABLE_VARIABLE, registry
from searchkit.plugin.specs import WorkersSpec, at_least

__all__ = ["ClusterWorkers", "Workers", "available_workers", "cores", "open_workers"]

Value = TypeVar("Value")


class Workers(Protocol):
    """Runs tasks. `submit` returns at once."""

    @property
    def count(self) -> int:
        """How many tasks run at once."""

    def submit(self, task: Callable[..., Value], /, *arguments: Any) -> "Future[Value]":
        """Return the future result of `task(*arguments)`.

        The future raises what the task raises, with its traceback as a note, and `WorkerError` if the result can't be
        had. Raises RuntimeError after `close`.
        """

    def close(self) -> None:
        """End the workers: cancel the tasks that have not begun, and end all processes. Safe to call twice.

        A task that runs elsewhere is ended, and its future raises `WorkerError` or CancelledError; a thread's task is
        waited for.
        """


@runtime_checkable
class ClusterWorkers(Workers, Protocol):
    """Workers on several computers. A task may use several threads, and what it makes can stay where it was made.

    What stays is an *object*: something that can be pickled, such as a list of arrays. Workers hold it in the memory of
    their computers, or on the disks of these if memory is scarce. An object that was lost with a computer is made
    again by running its task again.
    """

    @property
    def threads(self) -> int:
        """How many threads a task may use: 1, until `run_one_task_a_node` is called."""

    def run_one_task_a_node(self) -> None:
        """Run one task on each computer from now on, which may use all cores that every computer has."""

    def submit_with_objects(
        self,
        task: Callable[..., tuple[Value, list[Any]]],
        arguments: tuple[Any, ...],
        objects: Sequence[Any],
        made: int,
        near: int,
    ) -> "tuple[Future[Value], list[Any]]":
        """Run `task(*arguments, things)`, with the things that objects stand for; the task must not change them.

        The task returns a value and a list of `made` things. Return the future value, and the objects of the list.
        Tasks with the same number `near` run on the same computer as long as that is there, so that one finds there
        what another has made. Call `run_one_task_a_node` before.
        """

    def put_object(self, thing: Any) -> Any:
        """Return an object that stands for a thing. It does not have to be made again as long as this program runs."""

    def get_object(self, found: Any) -> Any:
        """Return the thing that an object stands for. Raises `WorkerError` if it is lost."""


def available_workers() -> dict[str, WorkersSpec]:
    """Return the kinds of workers by name: the built-in ones and those of plugins.

    What a plugin brings is left out with a `PluginWarning` if its hook fails. Raises `PluginError` for a name that is
    brought twice.
    """
    owners = dict.fromkeys((spec.name for spec in BUILT_IN), "searchkit")
    found = {spec.name: spec for spec in BUILT_IN}
    for plugin, call in registry().calls("searchkit_workers"):
        try:
            specs = call()
        except Exception as error:
            _warn(f"the workers of plugin {plugin!r} are left out: it raised {type(error).__name__}: {error}")
            continue
        if not isinstance(specs, list) or not all(isinstance(spec, WorkersSpec) for spec in specs):
            _warn(
                f"the workers of plugin {plugin!r} are left out: searchkit_workers returned {specs!r:.100}, expected a "
                "list of WorkersSpec"
            )
            continue
        for spec in specs:
            if spec.name in owners:
                raise PluginError(
                    f"workers {spec.name!r} are brought by {owners[spec.name]} and by the plugin {plugin!r}; block it "
                    f"with {DISABLE_VARIABLE}={plugin}"
                )
            owners[spec.name], found[spec.name] = plugin, spec
    return found


def open_workers(text: str) -> Workers:
    """Return the workers that a text names: `NAME`, or `NAME:` and what the kind of workers reads there.

    `serial` runs one task at a time, in a thread of this process. `threads` runs a task for each core, in threads of
    this process, and `threads:8` eight: at once if they are machine code, or in a free-threaded build of Python.
    `processes` starts a process for each core, `processes:8` starts eight. `ray` and `ray://host:10001` are those of a
    cluster, from the plugin `searchkit_cluster`. Threads and processes are started when the first tasks come.

    Raises:
        UnknownNameError: there are no workers of that name.
        InvalidOptionError: what follows the name is invalid.
        MissingExtraError: they need a package that is not installed.

    Example:
        >>> workers = open_workers("serial")
        >>> workers.submit(pow, 2, 10).result()
        1024
        >>> workers.close()

    """
    name = str(text).partition(":")[0]
    known = available_workers()
    if name not in known:
        listing = f"there are {', '.join(known)}"
        raise UnknownNameError(unknown(f"there are no workers {text!r}", name, known, listing))
    return known[name].open(text)  # type: ignore[no-any-return]  # the spec stands in an inner layer


def _warn(message: str) -> None:
    warnings.warn(message, PluginWarning, stacklevel=3)


def _serial(text: str) -> Workers:
    from searchkit.scale.workers.threads import ThreadWorkers

    if text != "serial":
        raise InvalidOptionError(f"workers {text!r}: serial takes nothing after its name")
    return ThreadWorkers()


def _threads(text: str) -> Workers:
    from searchkit.scale.workers.threads import ThreadWorkers

    return ThreadWorkers(_count_of(text))


def _processes(text: str) -> Workers:
    from searchkit.scale.workers.processes import Processes

    return Processes(_count_of(text))


def _count_of(text: str) -> int:
    """Return the number after the name of workers, or without one the number of cores."""
    name, colon, number = text.partition(":")
    try:
        return at_least(1)(number) if colon else cores()
    except ValueError as error:
        raise InvalidOptionError(
            f"workers {text!r}: expected {name}, or {name}:N with a number of {name} ≥ 1"
        ) from error


BUILT_IN = (
    WorkersSpec("serial", "one task at a time, in a thread of this process", _serial),
    WorkersSpec("threads", "threads of this process, one for each core; threads:N for N", _threads),
    WorkersSpec("processes", "processes of this machine, one for each core; processes:N for N", _processes),
)
