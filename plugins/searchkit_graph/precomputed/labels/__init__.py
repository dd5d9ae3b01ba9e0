"""Hub labels: distances from each state to a few others, from which any distance on the same map or graph follows."""
