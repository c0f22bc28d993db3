"""Words, numbers and marks of a text, in Chinese and English: the lowest floor."""
