"""Specs in files: YAML and JSON, by name, pattern, folder and standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ...bulk.files import Text, Unread, files, name_label, texts
from ...core.findings import Finding, InvalidDocument, InvalidText
from ...core.pointer import Path
from .generated.reward_spec import RewardSpec
from .read import placed, read_checked_json, read_checked_yaml
from .yaml_reader import PlaceOf

_SUFFIXES: Final = (".yaml", ".yml", ".json")
_WHITE: Final = b" \t\r\n"


@dataclass(frozen=True)
class SpecFile:
    """One spec as it is in a file, and everything that is wrong with it."""

    text: Text
    """The file's name and bytes."""
    value: Any
    """The plain JSON value; None where the text was refused."""
    findings: tuple[Finding, ...]
    """With the places in the file; () where the spec holds."""
    _place: PlaceOf
    at: ClassVar[Path] = ()
    line: ClassVar[None] = None

    @property
    def label(self) -> str:
        """The file's name."""
        return self.text.label

    def finding(self, finding: Finding) -> Finding:
        """A finding about the spec, with its place in the file."""
        return placed(finding, self._place)

    def spec(self) -> RewardSpec:
        """The model. Raises InvalidDocument where there are findings."""
        if self.findings:
            raise InvalidDocument(self.findings)
        return RewardSpec.from_dict(self.value)


def spec_files(names: Iterable[str]) -> Iterator[SpecFile | Unread]:
    """The specs in some files, checked, in order, one in each; in between, what could not be read.

    A name is a path, a pattern, a folder (for its .yaml, .yml and .json files) or ``-``; see ``sources.files``.
    """
    for name in files(names, _SUFFIXES):
        if isinstance(name, Unread):
            yield name
            continue
        try:
            yield read_spec_file(name)
        except Unread as unread:
            yield unread


def read_spec_file(name: str) -> SpecFile:
    """The spec in a file, checked. Raises Unread where the file cannot be read, or is blank.

    A file whose name ends in ``.json`` is JSON, and so is standard input (``-``) that starts with ``{``; anything else
    is YAML.
    """
    text = next(texts(name, lines=False), None)
    if text is None:
        raise Unread(name, f"no spec in {name_label(name)}")
    is_json = text.data.lstrip(_WHITE).startswith(b"{") if name == "-" else name.lower().endswith(".json")
    try:
        value, place, findings = (read_checked_json if is_json else read_checked_yaml)(text.data)
    except InvalidText as error:
        return SpecFile(text, None, error.findings, lambda path: (1, 1))
    return SpecFile(text, value, findings, place)
