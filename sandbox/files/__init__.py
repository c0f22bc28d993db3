"""What is on disk: the store, JSON Lines that survive a kill, spreadsheets."""
