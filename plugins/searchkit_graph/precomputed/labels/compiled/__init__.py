"""Hub labels as machine code."""
