"""What is computed before graphs and maps are searched: tables from which distances are read, or found sooner."""
