"""The measured problems."""
