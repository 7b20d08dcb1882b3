"""The conformance corpus, as data of the Python package. Nothing else here needs Python."""
