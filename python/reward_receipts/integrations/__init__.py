"""One module for each trainer. Each imports its trainer only when it is used."""
