"""From a drawing, which plugins make, to what a terminal shows."""
