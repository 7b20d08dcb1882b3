"""Writes generated/ from schemas/: ``read.py`` makes the model, and one module for each language writes from it."""

from typing import Final

COMMAND: Final = "python scripts/generate"
"""What writes the files, as their headers and messages name it."""
