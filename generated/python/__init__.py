"""What scripts/generate.py writes from the schemas."""
