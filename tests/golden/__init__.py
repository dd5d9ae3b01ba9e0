"""What every shipped example gives by every engine, recorded in one file: a row changes only for a known reason.

`python -m tests.golden` lists the rows that differ, and `python -m tests.golden --update` records them.
"""
