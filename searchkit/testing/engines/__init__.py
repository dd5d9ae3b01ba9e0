"""`check_engine` and `check_pair`: whether an engine keeps its promises."""
