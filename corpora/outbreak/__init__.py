"""The corpus outbreak-zh: its facts, figures, pages and questions."""
