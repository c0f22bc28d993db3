import asyncio
import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest

from sandbox.errors import ModelReplyError, ModelTimeout, ModelUnavailable
from sandbox.evaluation.metrics.judge import endpoint as judge_http
from sandbox.evaluation.metrics.judge.calls import JudgeCalls, PromptQueue, PromptTooLong
from sandbox.evaluation.metrics.judge.endpoint import JudgeRequest
from sandbox.evaluation.metrics.judge.scoring import Scoring
from sandbox.evaluation.runs.records import Sampling
from sandbox.files.storage import Store
from tests.evaluation.judge_server import MODELS, ScriptedJudge, asked
from tests.models.ollama_server import ScriptedOllama

REQUEST = JudgeRequest(user="Is the harbor green?", max_tokens=64)


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(list(MODELS)) as scripted:
        yield scripted


@pytest.fixture
def judge(server: ScriptedOllama) -> ScriptedJudge:
    return ScriptedJudge(server)


@pytest.fixture
def calls(judge: ScriptedJudge, store: Store) -> JudgeCalls:
    return JudgeCalls(judge, store)


async def both(calls: JudgeCalls) -> list[bool]:
    results = await asyncio.gather(calls.reply(REQUEST), calls.reply(REQUEST))
    return [saved for _, saved in results]


def test_equal_calls_at_the_same_time_are_made_once(
    calls: JudgeCalls, server: ScriptedOllama
) -> None:
    assert asyncio.run(both(calls)) == [False, True]
    assert len(asked(server)) == 1


def test_a_later_run_with_nothing_changed_makes_no_call(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    first, _ = asyncio.run(JudgeCalls(judge, store).reply(REQUEST))
    server.close()
    again, saved = asyncio.run(JudgeCalls(judge, store).reply(REQUEST))
    assert (again, saved) == (first, True)


def test_one_calls_object_serves_several_event_loops(calls: JudgeCalls) -> None:
    assert [asyncio.run(both(calls)), asyncio.run(both(calls))] == [[False, True], [True, True]]


def test_another_judge_is_asked_anew(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    other = replace(judge, digest="another")
    results = [asyncio.run(JudgeCalls(one, store).reply(REQUEST)) for one in (judge, other)]
    assert [saved for _, saved in results] == [False, False]
    assert len(asked(server)) == 2


@pytest.mark.parametrize(
    "change", [{"temperature": 0.7}, {"seed": 7}, {"max_tokens": 65}, {"schema": {}}]
)
def test_every_setting_is_part_of_the_address(calls: JudgeCalls, change: dict[str, object]) -> None:
    changed = replace(REQUEST, **change)  # type: ignore[arg-type]  # any field
    assert calls.key(changed) != calls.key(REQUEST)


def test_a_repeated_judgement_is_another_call(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    for sampling in (None, Sampling(temperature=0.7, seed=1), Sampling(temperature=0.7, seed=2)):
        asyncio.run(JudgeCalls(judge, store, sampling=sampling).reply(REQUEST))
    settings = [(body["temperature"], body["seed"]) for body in asked(server)]
    assert settings == [(0.0, 42), (0.7, 1), (0.7, 2)]


def test_a_cut_reply_is_asked_for_once_more_with_twice_the_room(
    calls: JudgeCalls, server: ScriptedOllama
) -> None:
    server.reply = lambda _: "one two three four five six"
    scoring = Scoring(calls, metric="m", family="ragas")
    reply = asyncio.run(scoring.ask(replace(REQUEST, max_tokens=3)))
    assert reply.text == "one two three four five six"
    assert [body["max_tokens"] for body in asked(server)] == [3, 6]
    assert scoring.score(1.0).calls == 2


def test_a_reply_that_never_ends_is_a_reason(calls: JudgeCalls, server: ScriptedOllama) -> None:
    server.reply = lambda _: "word " * 99
    scoring = Scoring(calls, metric="m", family="ragas")
    with pytest.raises(ModelReplyError, match="did not end within 6 tokens, nor .* within 3"):
        asyncio.run(scoring.ask(replace(REQUEST, max_tokens=3)))


def test_a_prompt_that_does_not_fit_is_not_sent(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    calls = JudgeCalls(replace(judge, context_tokens=512), store)
    request = replace(REQUEST, user="word " * 600)
    with pytest.raises(PromptTooLong, match="prompt of 600 tokens does not fit the judge's 512"):
        asyncio.run(calls.reply(request))
    assert calls.plan(request, reply_tokens=1, certain=True).overflows
    assert asked(server) == []


def test_a_reply_gets_what_room_the_prompt_leaves(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    calls = JudgeCalls(replace(judge, context_tokens=1024), store)
    asyncio.run(calls.reply(replace(REQUEST, user="word " * 600, max_tokens=1000)))
    assert [body["max_tokens"] for body in asked(server)] == [1024 - 64 - 600]


def test_a_prompt_whose_front_the_server_dropped_is_not_judged(
    judge: ScriptedJudge, store: Store
) -> None:
    calls = JudgeCalls(replace(judge, model="cuts-silently"), store)
    with pytest.raises(ModelReplyError, match="read only 256 tokens of a longer prompt"):
        asyncio.run(calls.reply(replace(REQUEST, user="word " * 600)))


def test_a_slow_judge_is_a_reason_and_the_others_go_on(
    calls: JudgeCalls, server: ScriptedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_http, "TIMEOUT_SECONDS", 0.1)
    server.trouble = "slow"
    with pytest.raises(ModelTimeout, match="did not answer in time"):
        asyncio.run(calls.reply(REQUEST))
    server.trouble = ""
    assert asyncio.run(calls.reply(replace(REQUEST, seed=1)))[1] is False


def test_a_judge_that_is_gone_stops_everything(calls: JudgeCalls, server: ScriptedOllama) -> None:
    server.close()
    with pytest.raises(ModelUnavailable, match="ollama serve"):
        asyncio.run(calls.reply(REQUEST))


def test_a_judge_that_dies_in_the_middle_leaves_what_it_said(
    judge: ScriptedJudge, server: ScriptedOllama, store: Store
) -> None:
    requests = [replace(REQUEST, seed=seed) for seed in range(4)]
    answered = itertools.count()

    def reply(_: object) -> str:
        if next(answered) == 2:
            server.close()
            raise ConnectionAbortedError
        return "yes"

    server.reply = reply

    async def ask_all(calls: JudgeCalls) -> list[object]:
        return await asyncio.gather(
            *(calls.reply(request) for request in requests), return_exceptions=True
        )

    results = asyncio.run(ask_all(JudgeCalls(judge, store)))
    assert [type(result) for result in results[2:]] == [ModelUnavailable, ModelUnavailable]
    with ScriptedOllama(list(MODELS)) as restarted:
        asyncio.run(ask_all(JudgeCalls(replace(judge, server=restarted), store)))
        assert sorted(body["seed"] for body in asked(restarted)) == [2, 3]


def test_one_internal_error_is_a_reason_and_three_in_a_row_stop(
    calls: JudgeCalls, server: ScriptedOllama
) -> None:
    server.trouble = "no memory"
    for seed in range(2):
        with pytest.raises(ModelReplyError, match="more system memory"):
            asyncio.run(calls.reply(replace(REQUEST, seed=seed)))
    with pytest.raises(ModelUnavailable, match="more system memory"):
        asyncio.run(calls.reply(replace(REQUEST, seed=2)))


def test_calls_that_begin_alike_run_back_to_back(calls: JudgeCalls, server: ScriptedOllama) -> None:
    users = ["facts: a", "useful: a", "facts: b", "useful: b", "facts: bb"]

    async def ask_all() -> None:
        await asyncio.gather(*(calls.reply(replace(REQUEST, user=user)) for user in users))

    asyncio.run(ask_all())
    order = [body["messages"][-1]["content"] for body in asked(server)]
    assert order == ["facts: a", "facts: b", "facts: bb", "useful: a", "useful: b"]


def test_a_canceled_call_gives_its_turn_away() -> None:
    async def run() -> str:
        turns = PromptQueue(1)
        release = asyncio.Event()

        async def go(prompt: str) -> str:
            async with turns.turn(prompt):
                await release.wait()
                return prompt

        first, second, third = (asyncio.create_task(go(prompt)) for prompt in ("a", "b", "c"))
        await asyncio.sleep(0)
        second.cancel()
        release.set()
        await asyncio.gather(first, second, return_exceptions=True)
        return await asyncio.wait_for(third, 5)

    assert asyncio.run(run()) == "c"
