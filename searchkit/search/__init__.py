"""The driver of searches and everything around it: limits, observers, `auto`, many queries, distance maps."""
