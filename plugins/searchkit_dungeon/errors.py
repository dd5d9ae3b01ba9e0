"""What can go wrong when maps are made."""

from searchkit.plugin import SearchkitError


class GenerationError(SearchkitError):
    """A map of the kind asked for can't be made; the message says why, and what would help."""
