"""From a PDF to pages of text, tables and figures, read in a worker process."""
