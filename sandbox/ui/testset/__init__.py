"""The Test set tab."""
