"""Handing what a search in memory has found over to a search on disk, which goes on from it."""
