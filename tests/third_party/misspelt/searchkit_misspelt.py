"""A third party's plugin with a hook that does not exist."""

from searchkit import EngineSpec, hookimpl


@hookimpl
def searchkit_engine() -> list[EngineSpec]:
    return []
