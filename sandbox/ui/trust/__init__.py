"""The Trust tab."""
