"""The documents of a run, found again by the name of its corpus, to show their pages."""

from sandbox.errors import CorpusError
from sandbox.library import Sandbox
from sandbox.progress import finish
from sandbox.records import Corpus
from sandbox.ui.ask.corpus_events import CorpusEvents


def read_corpus(sandbox: Sandbox, corpora: CorpusEvents, name: str) -> Corpus:
    """The corpus of that name on the Ask tab's list, read before and so at once.

    Raises:
        CorpusError: If it is not on the list any more.
    """
    named = {label: value for label, value in corpora.choices()}
    if name not in named:
        raise CorpusError(
            f"the corpus {name} is gone, so its pages cannot be shown; drop its PDFs on the Ask tab"
        )
    files = corpora.files(named[name])
    return finish(sandbox.pipeline.read(files.files, names=files.names)).as_corpus(files.name)
