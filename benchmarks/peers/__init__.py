"""Other libraries on the work for which machine code is made, each in its own environment.

`NAME.txt` lists the exact requirements of a library; `NAME.py` (with underscores for dashes) is the contender, as
`benchmarks.contenders` describes it. It runs in that environment, without searchkit, so it may import only numpy, the
library, and modules that import no more than these.
"""
