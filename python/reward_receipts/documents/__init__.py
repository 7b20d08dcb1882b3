"""What the generated document classes are built on: enforcement, identity, and the methods of each kind."""
