"""`check_heuristic`: whether a heuristic is admissible and consistent, with the smallest counterexample."""
