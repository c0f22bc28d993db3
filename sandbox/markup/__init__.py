"""HTML that the app and the report share: templates, plots, numbers as they are written."""
