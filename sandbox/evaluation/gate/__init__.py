"""A baseline on disk, and the check whether a run still holds it."""
