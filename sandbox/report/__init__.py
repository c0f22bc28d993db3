"""How records are shown: as JSON for programs, as lines for a terminal."""
