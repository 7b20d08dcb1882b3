"""What scripts/corpus is made of: it expands conformance/sources into the committed corpus."""
