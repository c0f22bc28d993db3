"""The judge: its calls, and the metrics of one token."""
