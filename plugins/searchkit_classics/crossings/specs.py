"""What the plugin registers of this group."""

from searchkit.plugin import ProblemSpec

SPECS: tuple[ProblemSpec, ...] = ()
