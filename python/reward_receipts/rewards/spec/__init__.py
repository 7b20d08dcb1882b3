"""Reward specs: the document, its text in JSON and YAML, what it resolves to, its ceiling, and what changed."""
