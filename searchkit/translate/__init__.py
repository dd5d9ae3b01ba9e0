"""Machine code made of a problem's own Python: see `searchkit.translate.translation`."""
