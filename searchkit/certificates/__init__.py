"""Certificates: what a search found, stored so that anybody can check it by the definition alone.

`certificate` says what a certificate holds and how it is written to a file. `make` makes certificates. `check` checks
them, and shares no code with what searches; `verdict` is what `searchkit.certify` returns.
"""

from searchkit.certificates.certificate import Ball as Ball
from searchkit.certificates.certificate import Certificate as Certificate
