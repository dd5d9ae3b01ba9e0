"""Searches in files, and what names a problem there."""
