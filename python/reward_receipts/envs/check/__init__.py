"""The tier checker: which tier an environment reaches, and why not a higher one."""
