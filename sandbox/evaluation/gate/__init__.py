"""Keeping what was reached: a baseline on disk, and whether a run still holds it."""
