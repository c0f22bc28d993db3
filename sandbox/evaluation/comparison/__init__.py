"""Runs compared: what differs, what made the difference, and whether there is one."""
