"""The Ask tab."""
