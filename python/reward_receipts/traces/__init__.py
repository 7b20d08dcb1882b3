"""Traces: rows, files, manifests and summaries. Nothing here needs Gymnasium."""
