"""Tasks of the first lectures: cleaning and measuring."""
