"""The project's own sentences in the reader's language."""
