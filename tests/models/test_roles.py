from pathlib import Path

from sandbox.models import defaults as roles
from sandbox.models.ollama_server import OllamaModel
from sandbox.models.source import Choice

NOBODY = "http://127.0.0.1:9"


def facts(*models: OllamaModel, answers: bool = True, embedded: bool = True) -> roles.Facts:
    return roles.Facts(
        ollama_address=NOBODY,
        ollama=models if answers else None,
        embedded_chat=embedded,
        embedded_embedder=embedded,
        ocr=embedded,
    )


def listed(name: str, *, can: str = "completion", gigabytes: int = 5) -> OllamaModel:
    return OllamaModel(
        name=name, digest="d", size_bytes=gigabytes * 10**9, capabilities=(can,), cloud=False
    )


def by_role(choices: tuple[Choice, ...]) -> dict[str, str]:
    return {choice.role: choice.model for choice in choices}


def test_without_ollama_everything_is_embedded() -> None:
    choices = roles.choose(facts(answers=False))
    assert by_role(choices) == {
        "chat_model": "embedded:qwen2.5-0.5b",
        "judge": "embedded:qwen2.5-0.5b",
        "embedder": "embedded:e5-small",
        "captioner": "ocr",
        "reranker": "maxsim",
    }
    assert all(choice.ready for choice in choices)
    assert choices[0].reason == (
        "Ollama does not answer at http://127.0.0.1:9; the embedded model needs no server"
    )


def test_a_judge_made_from_the_modelfile_is_used_for_judging_only() -> None:
    here = facts(listed("llama3.1-judge:latest"))
    assert roles.choose_judge(here).model == "ollama:llama3.1-judge"
    assert roles.choose_chat(here).model == "embedded:qwen2.5-0.5b"


def test_without_a_judge_the_command_that_makes_one_is_told() -> None:
    reason = roles.choose_judge(facts(listed("llama3.1:latest"))).reason
    assert reason == (
        "Ollama answers but has no llama3.1-judge; to use it run: "
        "ollama create llama3.1-judge -f Modelfile.judge"
    )


def test_any_tag_of_the_preferred_model_will_do() -> None:
    here = facts(
        listed("other:latest"), listed("llama3.1:70b", gigabytes=40), listed("llama3.1:8b")
    )
    assert roles.choose_chat(here).model == "ollama:llama3.1:8b"


def test_another_chat_model_is_taken_unless_it_is_huge() -> None:
    here = facts(
        listed("small:latest", gigabytes=1),
        listed("good:latest"),
        listed("huge:latest", gigabytes=40),
    )
    assert roles.choose_chat(here).model == "ollama:good"


def test_a_role_that_nothing_can_play_says_what_to_install() -> None:
    choices = roles.choose(facts(answers=False, embedded=False))
    unready = [(choice.role, choice.fix) for choice in choices if not choice.ready]
    command = "pip install 'rag-sandbox[embedded]'"
    assert unready == [(role, command) for role in ("chat_model", "judge", "embedder", "captioner")]


def test_the_command_that_makes_a_judge_names_a_file_that_is_here() -> None:
    path = Path(__file__).parents[2] / roles.CREATE_JUDGE.split()[-1]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == [
        "FROM llama3.1",
        "PARAMETER num_ctx 8192",
        "PARAMETER temperature 0",
        "PARAMETER seed 42",
    ]
