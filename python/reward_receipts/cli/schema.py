"""``schema``: the schemas that the package carries."""

from __future__ import annotations

import json
import pkgutil

from ..core.schema_files import SCHEMA_FILES, read_schema_file
from .terminal import say


def list_schemas() -> int:
    """Prints the name, the ``$id`` and the title of every schema. Returns the exit status."""
    width = max(map(len, SCHEMA_FILES))
    for name, file in SCHEMA_FILES.items():
        schema = read_schema_file(file)
        print(f"{name:<{width}}  {schema['$id']}  {schema['title']}")
    return 0


def print_schema(name: str) -> int:
    """Prints a schema file as it is. Returns the exit status."""
    if name not in SCHEMA_FILES:
        say(f"reward-receipts: there is no schema {name!r}; known are {', '.join(SCHEMA_FILES)}")
        return 2
    data = pkgutil.get_data("reward_receipts.schemas", SCHEMA_FILES[name])
    assert data is not None
    print(data.decode("utf-8"), end="")
    return 0


def bundle_schema(name: str) -> int:
    """Prints a schema and all that it refers to as one self-contained file. Returns the exit status."""
    from ..validation.bundle import BUNDLES, bundle

    if name not in BUNDLES:
        say(f"reward-receipts: there is no schema {name!r} to bundle; known are {', '.join(BUNDLES)}")
        return 2
    print(json.dumps(bundle(name), indent=2))
    return 0
