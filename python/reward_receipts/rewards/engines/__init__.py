"""The engines that compute a spec's reward. ``plain`` is the reference for the three faster ones."""
