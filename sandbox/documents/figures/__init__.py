"""Figures of a page: where they are, what belongs to them, their printed captions."""
