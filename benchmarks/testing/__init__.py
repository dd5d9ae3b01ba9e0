"""What checks can catch: planted defects that they find, and the shares of problems that are not trivial."""
