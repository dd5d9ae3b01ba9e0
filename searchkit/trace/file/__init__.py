"""The `.trace` files of recordings: `docs/reference/trace-format.md` describes them."""
