"""How the problems of this group look."""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit.plugin import Places

LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {}
