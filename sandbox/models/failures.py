"""Translates the exceptions of model backends into errors with a remedy, for all backends.

Covers httpx, the OpenAI client and the Ollama client, before an answer and in the middle of one.
"""

import contextlib
import re
from collections.abc import Iterator

from sandbox.errors import ModelError, ModelReplyError, ModelTimeout, ModelUnavailable

OVERFLOW = re.compile(r"\((\d+) tokens\) exceeds the available context size \((\d+) tokens\)")
OTHER_OVERFLOW = re.compile(r"maximum context length|exceeds? the (available )?context|too long")
QUOTED_CHARACTERS = 300
"""Longest part of a backend's own message that is quoted."""


@contextlib.contextmanager
def translate_failures(name: str) -> Iterator[None]:
    """Turn what the clients raise inside the block into a ModelError about the model `name`."""
    import httpx
    import ollama
    import openai

    try:
        yield
    except (httpx.TimeoutException, openai.APITimeoutError) as error:
        raise ModelTimeout(
            f"{name} did not answer in time; the machine may be busy, or the model too large for it"
        ) from error
    except ollama.ResponseError as error:
        raise _refusal(name, error.status_code, error.error) from error
    except openai.APIStatusError as error:
        raise _refusal(name, error.status_code, error.message) from error
    except httpx.HTTPStatusError as error:
        raise _refusal(name, error.response.status_code, error.response.text) from error
    except (httpx.ConnectError, ConnectionError, openai.APIConnectionError) as error:
        raise _lost_connection(name, error) from error
    except httpx.TransportError as error:
        raise ModelReplyError(
            f"{name} broke off in the middle of its answer; ask again, and if it happens again "
            f"look at the server's log"
        ) from error
    except (httpx.HTTPError, openai.OpenAIError, ValueError, LookupError, TypeError) as error:
        raise ModelReplyError(f"{name} sent an unusable reply: {_quoted(str(error))}") from error


def not_running(name: str) -> ModelUnavailable:
    """The error for a server that nobody has started."""
    if name == "ollama":
        return ModelUnavailable("Ollama is not running; run: ollama serve")
    if name.startswith("ollama:"):
        return ModelUnavailable(f"{name} needs Ollama, which is not running; run: ollama serve")
    return ModelUnavailable(f"{name} cannot be reached; start its server or choose another model")


def not_pulled(model: str) -> ModelUnavailable:
    """The error for a model that Ollama does not have."""
    return ModelUnavailable(f"Ollama has no model {model}; run: ollama pull {model}")


def _lost_connection(name: str, error: Exception) -> ModelError:
    import httpx

    cause = error.__cause__ if error.__cause__ is not None else error
    if isinstance(cause, httpx.TransportError) and not isinstance(cause, httpx.ConnectError):
        return ModelReplyError(f"{name} closed the connection without an answer; ask again")
    return not_running(name)


def _refusal(name: str, status: int, message: str) -> ModelError:
    """What an error reply means; its text is JSON, sometimes nested as a string in JSON."""
    if sizes := OVERFLOW.search(message):
        return ModelReplyError(
            f"the prompt of {sizes[1]} tokens does not fit {name}, which holds {sizes[2]}; choose "
            f"a smaller top_k or a model with a larger context"
        )
    if status == 400 and OTHER_OVERFLOW.search(message):
        return ModelReplyError(
            f"the prompt does not fit {name}; choose a smaller top_k or a model with a larger "
            f"context ({_quoted(message)})"
        )
    if status == 404 and name.startswith("ollama:"):
        return not_pulled(name.removeprefix("ollama:"))
    if status == 404:
        return ModelUnavailable(f"{name} does not exist there: {_quoted(message)}")
    if status in (408, 504):
        return ModelTimeout(f"{name} did not answer in time: {_quoted(message)}")
    if status in (401, 403, 429, 500, 501, 502, 503):
        return ModelUnavailable(f"{name} cannot be used: {_quoted(message)}")
    return ModelReplyError(f"{name} refused the request: {_quoted(message)}")


def _quoted(message: str) -> str:
    return " ".join(message.split())[:QUOTED_CHARACTERS]
