"""The exit codes."""

DONE, UNSOLVABLE, WRONG_USE, CUT_OFF = 0, 1, 2, 3
DISAGREES = 1
"""`scenario`: an engine found another cost than the file gives."""
REJECTED = 1
"""`certify`: the certificate proves nothing."""
FAILS = 1
"""`check`: a promise does not hold."""
OF_STATUS = {"solved": DONE, "unsolvable": UNSOLVABLE, "cutoff": CUT_OFF}
"""By the value of a `Status`."""
