"""How answers are judged: by which model, how often, and after which graded examples."""

from dataclasses import dataclass

from sandbox.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedExample:
    """An answer that a person graded."""

    user_input: str
    response: str
    right: bool
    reference: str = ""
    """Empty where nobody gave one; metrics that need one then leave the example out."""

    retrieved_contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a judge is asked for another opinion of its own: not its likeliest words."""

    temperature: float
    seed: int


JUDGING_KEYS = {
    "judge": "model",
    "judge_digest": "digest",
    "judgements": "judgements",
    "rubric": "rubric",
}
"""Keys of run.json, where the judging lies flat, and the fields they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How answers are judged; runs of equal judging have scores that can be compared."""

    model: str = ""
    """The judge's name; "auto" before it is chosen, empty where no metric asks one."""

    digest: str = ""
    """Changes when the model does; empty before it is chosen."""

    judgements: int = 1
    """How often each judged metric is judged; above 1 by sampling, with the median as score."""

    rubric: tuple[GradedExample, ...] = ()
    """Graded examples that the token judge is shown before each question."""

    sampling: Sampling | None = None
    """For a single judgement that is repeated; the judge's likeliest words for ``None``."""

    @property
    def options(self) -> list[str]:
        """Options that make `sandbox evaluate` judge like this; graded examples are in no file."""
        options = ["--judge", self.model] if self.model else []
        return [*options, *(["--judgements", str(self.judgements)] if self.judgements > 1 else [])]

    def differences(self, other: "Judging") -> dict[str, tuple[str | int, str | int]]:
        """What differs, by name; how often and after what a judge is asked only if one is."""
        compared: dict[str, tuple[str | int, str | int]] = {}
        if (self.model, self.digest) != (other.model, other.digest):
            compared["judge"] = self.model, other.model
        if not self.model and not other.model:
            return compared
        if self.judgements != other.judgements:
            compared["judgements"] = self.judgements, other.judgements
        if self.rubric != other.rubric:
            compared["rubric"] = len(self.rubric), len(other.rubric)
        return compared

    def __post_init__(self) -> None:
        """Check the number of judgements.

        Raises:
            ConfigError: If it is below 1.
        """
        if self.judgements < 1:
            raise ConfigError(f"judgements is {self.judgements}; choose a number from 1")
