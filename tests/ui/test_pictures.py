import base64
import io
from pathlib import Path

from PIL import Image

from sandbox.ui.parts.pictures import crop_data_url


def test_a_large_figure_is_made_smaller_for_its_card(tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    Image.new("RGB", (1280, 320), "white").save(path)
    url = crop_data_url(path)
    picture = Image.open(io.BytesIO(base64.b64decode(url.removeprefix("data:image/png;base64,"))))
    assert picture.size == (640, 160)


def test_a_figure_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    path.write_bytes(b"no picture")
    assert crop_data_url(path) == ""
