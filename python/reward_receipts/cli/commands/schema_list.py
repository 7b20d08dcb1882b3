"""``schema list``: the schemas that the package carries."""

from __future__ import annotations

from ...core.exit_status import ExitStatus
from ...core.schema_files import SCHEMA_FILES, read_schema_file


def schema_list() -> ExitStatus:
    """Each is listed with its $id and its title."""
    width = max(map(len, SCHEMA_FILES))
    for name, file in SCHEMA_FILES.items():
        schema = read_schema_file(file)
        print(f"{name:<{width}}  {schema['$id']}  {schema['title']}")
    return ExitStatus.GOOD
