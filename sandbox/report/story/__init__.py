"""The report for stakeholders: what runs came to, told once, written as HTML and as Markdown."""
