"""The lint of schemas/. ``forms.py`` is the list of what a schema may be written with; the generator goes by it too."""
