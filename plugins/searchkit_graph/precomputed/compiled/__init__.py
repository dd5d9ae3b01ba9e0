"""Machine code for what all tables have in common."""
