"""The corpus annual-en: its facts, figures, pages and questions."""
