"""Certificates: what a search found, written down so that anybody can check it by the definition alone.

`certificate` says what one is, `file` how it is written, `checker` what makes it true. The checker trusts nobody;
`builder` makes certificates, and could be anybody.
"""

from searchkit.certificates.certificate import Ball as Ball
from searchkit.certificates.certificate import Certificate as Certificate
