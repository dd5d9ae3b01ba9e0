"""What the engines `cbs` and `lacam` call as machine code. Importing these modules needs the extra `fast`."""
