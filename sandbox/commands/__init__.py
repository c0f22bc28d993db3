"""One module a command; each reads its input, makes one library call and shows the record."""
