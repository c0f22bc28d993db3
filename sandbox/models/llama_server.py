"""llama.cpp in this process, behind an OpenAI-compatible address on loopback.

Started at the first use and closed at exit. One slot: a second request waits for the first, and
the prompt's prefix stays cached, which is what makes the next answer fast.
"""

import atexit
import importlib.util
import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import ModelReplyError, ModelUnavailable
from sandbox.models.offline import environment

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

CONTEXT_TOKENS = 8192
"""Tokens of prompt and answer that fit together."""

PROMPT_CACHE_MEBIBYTES = 512
"""Memory for prompts seen earlier; llama.cpp's own default is 8 GiB."""

SPINS = "300"
"""Rounds for which a thread stays awake while it waits for the others."""


class LlamaServer:
    """One model file served on a loopback port of its own."""

    def __init__(
        self, find_weights: Callable[[], Path], *, context_tokens: int = CONTEXT_TOKENS
    ) -> None:
        """Nothing is loaded until the address is asked for."""
        self.context_tokens = context_tokens
        self._find_weights = find_weights
        self._lock = threading.Lock()
        self._server: Any = None
        self._client: httpx.Client | None = None

    @property
    def address(self) -> str:
        """Address without a path, such as ``http://127.0.0.1:40001``; starts the server.

        Raises:
            ModelUnavailable: If the weights or the package are missing, or cannot be loaded.
        """
        with self._lock:
            if self._server is None:
                self._server = _start(self._find_weights(), self.context_tokens)
                atexit.register(self.close)
            return str(self._server.listening_address)

    def count_tokens(self, text: str) -> int:
        """Tokens of the text, as the model itself counts them; starts the server."""
        import httpx

        address = self.address
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(timeout=600, trust_env=False)
            client = self._client
        try:
            reply = client.post(f"{address}/tokenize", json={"content": text}).raise_for_status()
            return len(reply.json()["tokens"])
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            raise ModelReplyError(f"the embedded server cannot count tokens: {error}") from error

    def close(self) -> None:
        """Stop the server and free its memory; a later use starts it again."""
        with self._lock:
            server, self._server = self._server, None
            client, self._client = self._client, None
        atexit.unregister(self.close)
        if client is not None:
            client.close()
        del server  # xllamacpp stops its threads when the object goes


def _start(weights: Path, context_tokens: int) -> Any:
    try:
        with environment(**_polite_waiting()):
            import xllamacpp
    except ModuleNotFoundError as error:
        raise ModelUnavailable(
            "the package that runs embedded models is not installed; run: "
            "pip install 'rag-sandbox[embedded]'"
        ) from error
    except ImportError as error:
        raise ModelUnavailable(
            f"the package that runs embedded models cannot be loaded: {error}; a missing "
            "libgomp.so.1 is Debian's package libgomp1"
        ) from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = physical_cores()
    parameters.cpuparams_batch.n_threads = physical_cores()
    parameters.cache_ram_mib = PROMPT_CACHE_MEBIBYTES
    parameters.hostnames = ["127.0.0.1"]
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.cors_origins = ""  # by default every web page may read what this server answers
    parameters.offline = True
    parameters.verbosity = 0  # keeps llama.cpp's log out of the terminal
    started = time.monotonic()
    try:
        server = xllamacpp.Server(parameters)
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelUnavailable(f"{weights} cannot be loaded as a GGUF model: {error}") from error
    logger.info("%s loaded in %.1f s", weights.name, time.monotonic() - started)
    return server


def _polite_waiting() -> dict[str, str]:
    """Variable that lets threads that wait for each other soon sleep; read on loading the library.

    By default they spin for long: with another program on the same two cores that left 11 tokens a
    second where this left 17, and little is lost on a quiet machine (docs/measurements.md).
    """
    decided = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys()
    return {} if decided else {"GOMP_SPINCOUNT": SPINS}


def is_installed() -> bool:
    """Whether the package that runs GGUF files is there; does not import it."""
    return importlib.util.find_spec("xllamacpp") is not None


def physical_cores() -> int:
    """Cores this process may use, two threads of one core counted once."""
    allowed = (
        os.sched_getaffinity(0)
        if hasattr(os, "sched_getaffinity")
        else set(range(os.cpu_count() or 1))
    )
    topology = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    files = [Path(topology.format(number)) for number in allowed]
    cores = {path.read_text() for path in files if path.is_file()}
    return len(cores) or len(allowed)
