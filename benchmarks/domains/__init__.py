"""The problems that are measured."""
