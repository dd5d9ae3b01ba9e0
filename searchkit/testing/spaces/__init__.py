"""Small state spaces: explicit digraphs, and everything that can be known about them."""
