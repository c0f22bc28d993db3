"""The measuring tower: scores, labels and statistics of answers, whoever gave them."""
