"""Reports of checks: counterexamples as pictures, as text and as code."""
