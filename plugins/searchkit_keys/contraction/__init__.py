"""The contraction of a vault: from cells to sites, and from sites to the graph of keys."""
