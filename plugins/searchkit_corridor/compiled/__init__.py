"""The engine `corridor` as machine code, for grids: same answers, phase by phase and tie for tie.

What is planned is planned by the same rules as in the modules beside this folder, over arrays instead of sets.
"""
