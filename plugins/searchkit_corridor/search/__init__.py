"""The engine `corridor`: search inside a mask of regions that widens."""
