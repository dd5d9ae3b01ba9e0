"""What several measurements need: data, the machine, kept results, spreads."""
