"""Metrics by name, from word overlap to RAGAS."""
