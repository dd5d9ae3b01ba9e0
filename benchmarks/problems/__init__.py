"""Kinds of problems, each with the engines and heuristics that suit it."""
