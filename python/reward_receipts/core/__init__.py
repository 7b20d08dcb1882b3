"""What everything else is built on: strict JSON, the canonical form, codes, findings, and showing others' text."""
