"""Contraction hierarchies: shortcuts over less important states, so that a search passes few states."""
