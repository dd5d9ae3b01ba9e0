"""Searches on a cluster: an executor that runs tasks by Ray (https://docs.ray.io).

`searchkit solve … --workers ray` and `open_executor("ray")` use it. Ray is installed by the extra `cluster`, and
imported when an executor is opened.
"""

from searchkit.plugin import ExecutorSpec, hookimpl
from searchkit_cluster.executor import open_ray

__all__ = ["open_ray"]


@hookimpl
def searchkit_executors() -> list[ExecutorSpec]:
    """Return the executor `ray`: the cluster of RAY_ADDRESS or of this machine, or ray://HOST:PORT, or a new one."""
    return [ExecutorSpec("ray", open_ray)]
