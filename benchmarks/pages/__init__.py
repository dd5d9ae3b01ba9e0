"""The pages and pictures of the documentation that are made from measurements."""
