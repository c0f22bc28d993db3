"""The text of a page in reading order, without headers, footers and hidden text."""
