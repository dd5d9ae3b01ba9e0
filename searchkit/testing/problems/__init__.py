"""`check_problem`: whether a problem keeps the promises of its protocol."""
