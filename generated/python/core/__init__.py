"""Written by scripts/generate.py from the schemas."""
