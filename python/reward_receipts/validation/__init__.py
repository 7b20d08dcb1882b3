"""Whether a plain JSON value is the document that it names, and why not: the schemas, and the rules beyond them."""
