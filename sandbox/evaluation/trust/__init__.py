"""Which metrics know right from wrong answers: the statistics of trust."""
