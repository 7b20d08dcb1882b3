"""What is done with documents: score, sign and verify, audit, issue; and the keys for it."""
