"""RAGAS on the same judge calls."""
