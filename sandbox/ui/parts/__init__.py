"""What several tabs are made of."""
