"""Tables of a page as Markdown."""
