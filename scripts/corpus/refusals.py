"""The layers json, schema and rules: what is accepted, and what refuses. All of it is named by hand in the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .library import Library
from .raw_json import nested
from .records import Record, SourceError, record, sentence_of
from .texts import KEYS, Input, Row, input_of

Table = dict[str, Any]
_ROW_KEYS = {*KEYS, "id", "codes", "kind", "level", "about"}


def groups(table: Table, library: Library) -> Iterator[Record]:
    """The cases of the tables json.toml, schema.toml and rules.toml."""
    for group in table["group"]:
        of_rows = group.get("codes", {})
        for accepted, rows in ((True, group["accept"]), (False, group["refuse"])):
            for row in _each(rows):
                case_id = f"{table['layer']}/{group['id']}/{row['id']}"
                if unknown := set(row) - _ROW_KEYS:
                    raise SourceError(f"{case_id}: {', '.join(sorted(unknown))} is unknown")
                codes = row.get("codes") or of_rows.get(row["id"]) or [group["about"]]
                yield _case(
                    case_id,
                    table,
                    group,
                    row,
                    input_of(row, group.get("base"), library),
                    None if accepted else codes,
                )


def _case(case_id: str, table: Table, group: Table, row: Row, given: Input, codes: list[str] | None) -> Record:
    kind = row.get("kind", group.get("kind", "none"))
    return record(
        case_id,
        table["operation"],
        {"text" if table["operation"] == "read" else "document": given.text},
        {"valid": True} if codes is None else {"valid": False, "codes": codes},
        sentence=sentence_of(group["says"], given.edit, "Accepted" if codes is None else "Refused"),
        section=str(group.get("section", table["section"])),
        kind=None if kind == "none" else kind,
        level=row.get("level", "required"),
        about=row.get("about", group["about"]) if codes is None else codes[0],
        base=given.base,
        edit=None if given.base is None else given.edit,
    )


# members.toml


def members(table: Table, library: Library) -> Iterator[Record]:
    """The cases of members.toml: each member with what its form allows and refuses."""
    for part in table["object"]:
        for path, form_name, when_left_out in part["members"]:
            form = table["form"][form_name.removesuffix("?")]
            member = _Member(part["kind"], part["base"], path, form, form_name.endswith("?"))
            for row, codes in member.rows(when_left_out):
                case_id = f"{table['layer']}/{part['kind']}/{path.replace('/', '.')}/{row['id']}"
                group = {"says": form["says"], "about": form["about"], "kind": part["kind"]}
                group["section"] = form.get("section", table["section"])
                yield _case(case_id, table, group, row, input_of(row, part["base"], library), codes)


class _Member:
    """One member of one kind, and the rows that it gets."""

    def __init__(self, kind: str, base: str, path: str, form: Table, nullable: bool) -> None:
        self.kind, self.base, self.path, self.form, self.nullable = kind, base, path, form, nullable
        self.shown = form.get("shown_on") == [kind, path]

    def rows(self, when_left_out: str) -> Iterator[tuple[Row, list[str] | None]]:
        """Rows with the codes that refuse them, None where they are accepted."""
        for row in _each(self.form["accept"]):
            if self.shown or row.get("everywhere"):
                yield self._row(row), None
        for row in _each(self.form["refuse"]):
            if self.shown or row.get("everywhere"):
                yield self._row(row), self._codes(row)
        if when_left_out == "required":
            yield {"id": "left-out", "set": nested(self.path, False)}, ["schema.required"]
        elif when_left_out == "default":
            yield {"id": "left-out", "set": nested(self.path, False), "about": "schema.required"}, None
        for row_id, value in (("null", "null"), ("true", "true"), self.form["wrong"]):
            if value not in self.form.get("right_types", []) and not (value == "null" and self.nullable):
                yield {"id": f"type-{row_id}", "set": nested(self.path, value)}, self._types()

    def _row(self, row: Row) -> Row:
        made = {key: row[key] for key in ("id", "about", "edit") if key in row}
        if len(row["value"]) > 100:
            made["edit"] = f"{self.path} {row['id'].replace('-', ' ')}"
        return {**made, "set": nested(self.path, row["value"])}

    def _codes(self, row: Row) -> list[str]:
        if self.nullable:
            return ["schema.anyOf"]
        codes: list[str] = row.get("codes") or [self.form["about"]]
        return [*codes, *row.get("also", {}).get(self.kind, [])]

    def _types(self) -> list[str]:
        if self.nullable:
            return ["schema.anyOf", "receipt.reference-complete"]
        types: list[str] = self.form.get("types", ["schema.type"])
        return types


def _each(rows: list[Row]) -> Iterator[Row]:
    """The rows; one with ``each`` stands for many, with a word of its list for ``*`` in its texts."""
    for row in rows:
        for word in row.get("each", ("*",)):
            texts = {key: value.replace("*", word) for key, value in row.items() if isinstance(value, str)}
            yield {key: texts.get(key, value) for key, value in row.items() if key != "each"}
