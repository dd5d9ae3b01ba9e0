"""Problems written in plain Python, as machine code."""
