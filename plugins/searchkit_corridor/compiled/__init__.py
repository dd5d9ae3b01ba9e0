"""The engine `corridor` as machine code, for grids: same answers, phase by phase and tie for tie.

The rules of planning are those of the modules beside this folder, over arrays instead of sets.
"""
