"""The compiled views of vaults, and the contraction in machine code. Needs the extra `fast`."""
