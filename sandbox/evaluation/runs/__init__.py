"""Runs on disk, and each of them read once into answers, labels and scores."""
