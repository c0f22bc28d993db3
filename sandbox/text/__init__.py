"""Words, sentences, numbers and citations in Chinese and English text."""
