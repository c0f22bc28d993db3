"""Labels of people: what to label next, from files, and how far people agree."""
