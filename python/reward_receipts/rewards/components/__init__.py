"""Reward components: what one is, the registry of their names, and seven of them for operations."""
