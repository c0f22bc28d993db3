"""Test cases: read, checked, drafted, split, imported and exported."""
