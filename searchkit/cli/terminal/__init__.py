"""What needs a terminal or standard input: keys, stepping through recordings, and `-` as a source."""
