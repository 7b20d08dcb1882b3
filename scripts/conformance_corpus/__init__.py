"""What scripts/corpus.py is made of: it expands conformance/sources into the committed corpus."""
