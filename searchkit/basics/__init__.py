"""What every layer may use: files and rounding."""
