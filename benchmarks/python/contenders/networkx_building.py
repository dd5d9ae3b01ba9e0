"""NetworkX including the time to build the graph: the cost of one search in an implicit graph."""

from collections.abc import Callable

from benchmarks.python.answer import Answer
from benchmarks.python.contenders import networkx
from benchmarks.python.domains.instance import Counter
from benchmarks.python.workloads import Workload

PACKAGE = networkx.PACKAGE
EASIER = ""


def prepare(workload: Workload, counter: Counter | None) -> Callable[[], list[Answer]]:
    """Return the run that builds the graph, which calls `successors` for every state, and searches it."""
    library, graph_class = networkx.setup(workload, None)
    search = networkx.SEARCHES[workload.algorithm]

    def run() -> list[Answer]:
        graph = networkx.build(graph_class, workload)
        return [search(library, graph, instance) for instance in workload.instances]

    return run
