"""The compiled view of a board."""
