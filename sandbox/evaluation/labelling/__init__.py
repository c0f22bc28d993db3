"""Labels of people: labelling sessions, what to label next, label files, and agreement."""
