"""Hit rate, recall and MRR by page on the bundled test sets, for each way to retrieve.

    python -m benchmarks.retrieval [--json]

Uses the context index, and the embedder that `sandbox doctor` names.
"""

import json
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sandbox.config import Config
from sandbox.documents.corpora import bundled
from sandbox.evaluation.metrics.ranking import hit_rate_at_k, recall_at_k, reciprocal_rank
from sandbox.library import Sandbox
from sandbox.rag.index import Index
from sandbox.testsets.cases import TEST_SETS_FOLDER, load

WAYS = {
    "BM25": Config(retriever="lexical", reranker="none", top_k=50),
    "vectors": Config(retriever="dense", reranker="none", top_k=50),
    "RRF": Config(retriever="hybrid", reranker="none", top_k=50),
    "RRF + maxsim": Config(retriever="hybrid", reranker="maxsim", top_k=50),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One way to retrieve on one test set; means over its answerable cases."""

    test_set: str
    way: str
    cases: int
    hit_rate_at_1: float
    recall_at_5: float
    mrr: float


def measure(sandbox: Sandbox) -> Iterable[Row]:
    """Every way on every bundled test set."""
    for corpus in bundled():
        opened = sandbox.open(corpus.name)
        cases = [
            case for case in load(TEST_SETS_FOLDER / f"{corpus.name}.jsonl") if case.answerable
        ]
        for way, config in WAYS.items():
            index = sandbox.index(opened, config)
            rankings = [_pages(sandbox, index, case.question, config) for case in cases]
            judged = [
                (ranking, set(case.relevant_pages))
                for ranking, case in zip(rankings, cases, strict=True)
            ]
            yield Row(
                test_set=corpus.name,
                way=way,
                cases=len(cases),
                hit_rate_at_1=_mean(hit_rate_at_k(*pair, k=1) for pair in judged),
                recall_at_5=_mean(recall_at_k(*pair, k=5) for pair in judged),
                mrr=_mean(reciprocal_rank(*pair) for pair in judged),
            )


def _pages(sandbox: Sandbox, index: Index, question: str, config: Config) -> list[int]:
    """Pages in the order in which their first chunk is retrieved."""
    result = sandbox.pipeline.retrieve(index, question, config)
    return list(dict.fromkeys(item.chunk.page for item in result.retrieved))


def _mean(values: Iterable[float | None]) -> float:
    return round(statistics.fmean(value for value in values if value is not None), 3)


def main() -> None:
    """Print the table, or with --json one object."""
    with Sandbox() as sandbox:
        rows = list(measure(sandbox))
    if "--json" in sys.argv[1:]:
        sys.stdout.write(json.dumps({"rows": [asdict(row) for row in rows]}) + "\n")
        return
    sys.stdout.write("| test set | cases | way | hit rate@1 | recall@5 | MRR |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    for row in rows:
        sys.stdout.write(
            f"| {row.test_set} | {row.cases} | {row.way} | {row.hit_rate_at_1:.3f} |"
            f" {row.recall_at_5:.3f} | {row.mrr:.3f} |\n"
        )


if __name__ == "__main__":
    main()
