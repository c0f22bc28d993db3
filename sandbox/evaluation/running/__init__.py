"""Carrying out an evaluation: cell by cell, with a plan of what it will cost."""
