"""PDF files in, documents out: text, tables, figures and their printed captions."""
