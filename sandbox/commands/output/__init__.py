"""Records as JSON and as lines for a terminal, one file a command."""
