import os

import pytest

from sandbox.models.offline import SWITCHES, switch_off_connections


def test_every_switch_is_set_whatever_the_environment_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    switch_off_connections()
    assert {name: os.environ[name] for name in SWITCHES} == SWITCHES
    assert os.environ["LANGSMITH_TRACING"] == "false"
