"""The two problems of a vault, step by step and key by key, and the way from one to the other."""
