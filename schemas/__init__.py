"""The hand-written JSON Schemas and codes, as package data."""
