"""Reads the widgets of the Evaluate tab: the configurations, metrics and cases that were chosen."""

from collections.abc import Mapping
from pathlib import Path

from sandbox.config import Config, one_factor_at_a_time, preset
from sandbox.errors import ConfigError, InvalidTestSet
from sandbox.evaluation.runs.judging import Judging
from sandbox.evaluation.runs.records import Family
from sandbox.evaluation.runs.rubric import read_rubric
from sandbox.experiments.experiment import Experiment
from sandbox.files.storage import Store
from sandbox.records import Corpus
from sandbox.testsets.cases import TestCase, find_testset_files, load
from sandbox.testsets.holdout import require_shown
from sandbox.ui.ask.panel import Panel
from sandbox.ui.evaluate.tab import ASK_TAB, EvaluateTab
from sandbox.ui.parts.wiring import Values


class EvaluateForm:
    """What the widgets of the tab say."""

    def __init__(self, tab: EvaluateTab, panel: Panel, store: Store) -> None:
        """Read `tab`; the Ask tab's configuration is that of `panel`."""
        self._tab = tab
        self._panel = panel
        self._store = store

    def experiment(self, values: Values, corpus: Corpus) -> Experiment:
        """What is to be measured.

        Raises:
            ConfigError: If a setting is out of range, or nothing is ticked.
            InvalidTestSet: If the test set or the graded examples cannot be read, or no test set
                is chosen.
        """
        limit, rubric = values[self._tab.cases], values[self._tab.rubric]
        return Experiment(
            corpus=corpus,
            test_set=values[self._tab.test_set] or "",
            cases=self.cases(values),
            configs=self.configs(values),
            metrics=self.metrics(values),
            judging=Judging(
                model=values[self._tab.judge] or "auto",
                judgements=int(values[self._tab.judgements] or 1),
                rubric=read_rubric(Path(rubric)) if rubric else (),
            ),
            limit=int(limit) if limit else None,
        )

    def configs(self, values: Values) -> tuple[Config, ...]:
        """What is ticked, sent from Compare, or in "one factor at a time"; each once.

        Raises:
            ConfigError: If a setting is unknown or out of range.
        """
        ticked = [self._config(name, values) for name in values[self._tab.presets]]
        sent: Mapping[str, Config] = values[self._tab.session].sent
        ticked += [sent[name] for name in values[self._tab.sent] or () if name in sent]
        own = (values[self._tab.own_alternatives] or "").split(",")
        alternatives = [*values[self._tab.alternatives], *(text.strip() for text in own)]
        if wanted := [text for text in alternatives if text]:
            start = self._config(values[self._tab.start], values)
            ticked += one_factor_at_a_time(start, wanted)
        return tuple({config.name: config for config in ticked}.values())

    def metrics(self, values: Values) -> tuple[str, ...]:
        """The ticked metrics by name, cheapest family first.

        Raises:
            ConfigError: If none is ticked.
        """
        boxes: Mapping[Family, object] = {
            family: values[box] for family, box in self._tab.metrics.items()
        }
        names = tuple(
            str(name) for ticked in boxes.values() if isinstance(ticked, list) for name in ticked
        )
        if not names:
            raise ConfigError("no metric is ticked; tick at least one on the left")
        return names

    def cases(self, values: Values) -> tuple[TestCase, ...]:
        """The cases of the chosen test set.

        Raises:
            InvalidTestSet: If none is chosen, or it cannot be read or is a hold-out.
        """
        file = self.test_sets().get(values[self._tab.test_set] or "")
        if file is None:
            raise InvalidTestSet(
                "no test set is chosen; choose one, or make one for this corpus on the Test set tab"
            )
        require_shown(file, show_holdout=bool(values[self._tab.holdout]))
        return load(file)

    def test_sets(self) -> dict[str, Path]:
        """Test set file by name: the bundled ones, then those saved on the Test set tab."""
        return find_testset_files(self._store.testsets)

    def _config(self, name: str, values: Values) -> Config:
        return self._panel.read(values) if name == ASK_TAB else preset(name)
