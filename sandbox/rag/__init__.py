"""From pages to an index, and from a question to a checked answer."""
