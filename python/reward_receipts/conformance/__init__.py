"""Conformance: holding an implementation, in whatever language, to the corpus.

``corpus`` loads the cases, ``runner`` asks a driver process all of them, ``report`` says what came of it; ``driver``
is this package's own driver.
"""
