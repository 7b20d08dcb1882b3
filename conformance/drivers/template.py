"""A driver for ``reward-receipts conformance run``: it holds your implementation to the corpus.

Fill in functions and claim their layers at LAYERS. Documents come as bytes. A function returns the answer, or a text
that says why it skips the case. What it raises is reported as an error, which is neither right nor a refusal.
"""

import base64
import json
import sys

ABOUT = {"protocol": 1, "name": "my-implementation", "version": "0.0.1", "language": "Python"}


def read(text):
    """{"valid": True} or {"valid": False, "codes": ["json.duplicate"]}; codes may be left out."""


def validate(document, kind=None):
    """The same. The kind is contract, certificate or receipt, or None: then the document has to say it."""


def canonical(text):
    """{"canonical": base64 of the canonical bytes of any JSON value}"""


def digest(document, kind):
    """{"digest": "sha256:...", "canonical": base64 of the canonical bytes of the completed document}"""


def verify(document, kind, keyring):
    """{"verdict": "valid", "invalid", "signer-unknown" or "error"}; the keyring is JSON: key ids to base64 keys."""


def score(contract, outcome, tier, policy_update, certificate=None):
    """{"scalar": "1.0" or None, "certified" (synthetic), "development_only", "refusals": codes}, {"error": "value"}"""


def state(policy_update, certificate=None):
    """{"state": "current"} or {"error": "value"}"""


def unmet(certificate, contract):
    """{"unmet": codes in order}"""


def refusals(receipt, contract, certificate=None):
    """{"refusals": codes in order}"""


def audit(receipt, contract=None, certificate=None, keyring=None, at_update=None):
    """{"verdict": "holds", "fails" or "undecided", "findings": codes in order, "unchecked": codes in order}"""


def compose(spec, components, steps, episode_steps):
    """{"digest", "resolved_digest", "ceiling", "steps"} as the README says, or {"valid": False, "codes": [...]}"""


LAYERS = {  # What you claim: take away the mark of a layer once all its functions are filled in.
    # "json": [read],
    # "schema": [validate],
    # "rules": [validate],
    # "digest": [canonical, digest],
    # "signature": [verify],
    # "score": [score],
    # "certificate": [state, unmet],
    # "audit": [refusals, audit],
    # "compose": [compose],
}

if __name__ == "__main__":
    out, sys.stdout = sys.stdout, sys.stderr  # What your implementation prints is not an answer.
    functions = {function.__name__: function for layer in LAYERS.values() for function in layer}
    hello = {**ABOUT, "layers": list(LAYERS), "operations": list(functions)}
    print(json.dumps({"hello": hello}), file=out, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        documents = {name: None if data is None else base64.b64decode(data) for name, data in request["input"].items()}
        kind = {"kind": request["kind"]} if request["kind"] else {}
        try:
            answer = functions[request["operation"]](**documents, **request["arguments"], **kind)
            reply = {"skip" if isinstance(answer, str) else "answer": answer}
        except Exception as error:
            reply = {"error": repr(error)}
        print(json.dumps({"id": request["id"], **reply}), file=out, flush=True)
