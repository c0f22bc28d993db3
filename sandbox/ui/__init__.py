"""The app in the browser; `app.py` is its front door."""
