"""Where things stand on a page: boxes, characters, lines of OCR."""
