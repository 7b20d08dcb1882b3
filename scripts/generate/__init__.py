"""Writes generated/ from schemas/: ``read.py`` makes the model, and one module for each language writes from it."""
