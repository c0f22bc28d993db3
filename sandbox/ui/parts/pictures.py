"""Pictures as data URLs, so that the browser asks the server for no file by its path."""

import base64
import io
from pathlib import Path

CROP_PIXELS = 640
"""Longest side of a figure's crop in a card; the original stays on disk."""


def png_data_url(picture: bytes) -> str:
    """A PNG as a data URL."""
    return "data:image/png;base64," + base64.b64encode(picture).decode("ascii")


def crop_data_url(path: Path) -> str:
    """A figure's PNG, made smaller where it is large; empty if it cannot be read."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            image.thumbnail((CROP_PIXELS, CROP_PIXELS))
            stream = io.BytesIO()
            image.save(stream, "PNG")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    return png_data_url(stream.getvalue())
