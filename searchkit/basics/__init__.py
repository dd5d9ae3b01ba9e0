"""What every layer may use: reading and writing files, and comparing rounded costs."""
