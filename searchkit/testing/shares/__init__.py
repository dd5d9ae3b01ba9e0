"""The shares of drawn problems that are not trivial."""
