"""Any configuration as a LangChain retriever, for a chain of one's own."""

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from sandbox.config import Config
from sandbox.library import Sandbox, as_config
from sandbox.records import Corpus


def retriever(sandbox: Sandbox, corpus: Corpus, config: str | Config) -> BaseRetriever:
    """The corpus under that configuration as a LangChain retriever.

    Each LangChain document carries rank, score, page, kind and source in its metadata.
    """
    return _Retriever(sandbox=sandbox, corpus=corpus, config=as_config(config))


class _Retriever(BaseRetriever):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    sandbox: Sandbox
    corpus: Corpus
    config: Config

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.sandbox.retrieve(self.corpus, query, self.config)
        return [
            Document(
                id=item.chunk.id,
                page_content=item.chunk.text,
                metadata={
                    "source": item.chunk.document,
                    "page": item.chunk.page,
                    "kind": item.chunk.kind,
                    "rank": item.rank,
                    "score": item.score,
                },
            )
            for item in found.retrieved
        ]
