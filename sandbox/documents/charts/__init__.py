"""What a chart says: its words, and its series where values are printed."""
