"""Files on disk: the store, JSON Lines that survive a kill, spreadsheets."""
