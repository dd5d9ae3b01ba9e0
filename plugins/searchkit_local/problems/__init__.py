"""Problems for local search: complete assignments that are improved step by step."""
