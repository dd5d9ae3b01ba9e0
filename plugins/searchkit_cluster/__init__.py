"""Searches on a cluster: workers that run tasks by Ray (https://docs.ray.io).

`searchkit solve … --workers ray` and `open_workers("ray")` use them. Ray is installed by the extra `cluster`, and
imported when workers are opened.
"""

from searchkit.plugin import WorkersSpec, hookimpl
from searchkit_cluster.ray_workers import open_ray

__all__ = ["open_ray"]


@hookimpl
def searchkit_workers() -> list[WorkersSpec]:
    """Return the workers `ray`."""
    return [
        WorkersSpec(
            "ray",
            "a cluster: the one of RAY_ADDRESS or of this machine, or ray://HOST:PORT, or a new one here",
            open_ray,
        )
    ]
