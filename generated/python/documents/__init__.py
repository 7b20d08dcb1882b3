"""Written by python scripts/generate from the schemas."""
