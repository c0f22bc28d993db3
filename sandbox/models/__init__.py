"""Chat models, embedders, captioners and rerankers, behind the interfaces of `base.py`."""
