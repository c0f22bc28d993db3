"""Backends: each file serves one source of models behind the interfaces of base."""
