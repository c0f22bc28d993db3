"""A sandbox to set up RAG on your own PDFs and to learn which metrics can be trusted there."""

__version__ = "0.1.0"
