"""The commands, one module each. ``app`` has the table of them."""
