"""Statistics that know nothing of RAG: areas, intervals, paired tests, rates."""
