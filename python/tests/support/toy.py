"""What the tests' toy drivers are made of: the right answers of a corpus, and the protocol.

A toy is a script that starts with ``from toy import *``; its first argument is the corpus.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Message = dict[str, Any]


def _key(operation: str, documents: Message, arguments: Message) -> str:
    return json.dumps([operation, documents, arguments], sort_keys=True)


def _encoded(document: Message | None) -> str | None:
    if document is None:
        return None
    data = base64.b64decode(document["base64"]) if "base64" in document else document["text"].encode()
    pad = document.get("pad", {"with": " ", "to": 0})
    return base64.b64encode(data.ljust(pad["to"], pad["with"].encode())).decode()


def _answers() -> dict[str, tuple[str, Message]]:
    answers = {}
    for file in Path(sys.argv[1], "cases").iterdir():
        for line in file.read_text().splitlines():
            case = json.loads(line)
            documents = {name: _encoded(document) for name, document in case["input"].items()}
            key = _key(case["operation"], documents, case["arguments"])
            answers[key] = (case["id"], case["expect"])
    return answers


ANSWERS = _answers() if len(sys.argv) > 1 else {}


def right(request: Message) -> Message:
    """The right answer to a request."""
    return ANSWERS[_key(request["operation"], request["input"], request["arguments"])][1]


def name_of(request: Message) -> str:
    """The id of the case that a request is for; a real driver could not know."""
    return ANSWERS[_key(request["operation"], request["input"], request["arguments"])][0]


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message: Any) -> None:
    write(json.dumps(message).encode() + b"\n")


def hello(**members: Any) -> None:
    layers = ["json", "schema", "rules", "digest", "signature", "score", "certificate", "audit", "compose"]
    operations = ["read", "validate", "canonical", "digest", "verify", "score", "state", "unmet", "refusals", "audit"]
    operations.append("compose")
    about = {"protocol": 1, "name": "toy", "version": "1", "language": "Python", "layers": layers}
    say({"hello": {**about, "operations": operations, **members}})


def requests() -> Iterator[Message]:
    for line in sys.stdin.buffer:
        yield json.loads(line)


def answer(request: Message) -> None:
    """Answers a request rightly."""
    say({"id": request["id"], "answer": right(request)})


def sleep() -> None:
    time.sleep(300)
