"""The exit codes."""

DONE, UNSOLVABLE, WRONG_USE, CUT_OFF = 0, 1, 2, 3
DISAGREES = 1
"""`scenario`: an engine found another cost than the file gives."""
OF_STATUS = {"solved": DONE, "unsolvable": UNSOLVABLE, "cutoff": CUT_OFF}
"""By the value of a `Status`."""
