import pytest

from sandbox.errors import ConfigError
from sandbox.models.base import find_prefixes
from sandbox.models.ollama_server import OllamaServer, ollama_address
from sandbox.models.openai_chat import is_loopback
from sandbox.text.tokenization import estimate_least_tokens, estimate_tokens


@pytest.mark.parametrize(
    ("configured", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("localhost", "http://localhost:11434"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("http://gpu.example.org", "http://gpu.example.org:80"),
        ("https://gpu.example.org/ollama/", "https://gpu.example.org:443/ollama"),
    ],
)
def test_an_ollama_address_is_read_as_ollama_reads_it(configured: str, address: str) -> None:
    assert ollama_address(configured) == address


@pytest.mark.parametrize("configured", ["http://host:port", "ftp://host", "http://host:99999"])
def test_an_address_that_cannot_be_read_is_told(configured: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read; write http://HOST:PORT"):
        ollama_address(configured)


def test_the_environment_names_the_ollama_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:12345")
    assert OllamaServer().address == "http://127.0.0.1:12345"
    assert OllamaServer("127.0.0.1:1").address == "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:1", True),
        ("http://127.example.org", False),
        ("http://192.168.0.7", False),
    ],
)
def test_proxies_are_for_other_machines(address: str, own: bool) -> None:
    assert is_loopback(address) is own


@pytest.mark.parametrize("model", ["nomic-embed-text:v1.5", "st:nomic-ai/nomic-embed-text-v1"])
def test_a_family_of_embedders_shares_its_prefixes(model: str) -> None:
    assert find_prefixes(model).passage == "search_document: "


def test_an_unknown_embedder_gets_no_prefixes() -> None:
    assert find_prefixes("bge-m3").question == ""


@pytest.mark.parametrize(
    ("text", "least", "estimate"),
    [
        ("", 0, 0),
        ("The year was 2019.", 3, 8),
        ("哪一年病例最多？", 2, 12),
        ("104: 29; 105: 14;", 0, 14),
    ],
)
def test_the_size_of_a_text_is_bounded_from_both_sides(
    text: str, least: int, estimate: int
) -> None:
    assert (estimate_least_tokens(text), estimate_tokens(text)) == (least, estimate)
