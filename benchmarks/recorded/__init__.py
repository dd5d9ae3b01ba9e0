"""Recordings of searches, and the pages that play them."""
