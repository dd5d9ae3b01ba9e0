"""What checks can catch: planted defects that they find."""
