"""How states go from task to task in a round: through files that all tasks see, or through the memory of a cluster."""
