"""The errors a caller can react to; every message says what failed, on what, and what to do.

SandboxError
├── ConfigError          a setting is unknown, missing or out of range
├── CorpusError          a document cannot be read, or a corpus is empty
├── InvalidTestSet       a test case is malformed or names a page that does not exist
└── ModelError
    ├── ModelUnavailable the backend is not running, or the weights are not on disk
    ├── ModelTimeout     the backend did not answer in time
    └── ModelReplyError  the backend answered with something unusable
"""


class SandboxError(Exception):
    """Base of every error that is shown to a user as one sentence."""


class ConfigError(SandboxError):
    """A setting is unknown, missing or out of range."""


class CorpusError(SandboxError):
    """A document cannot be read, or a corpus is empty."""


class InvalidTestSet(SandboxError):
    """A test case is malformed or names a page that does not exist."""


class ModelError(SandboxError):
    """A model backend failed."""


class ModelUnavailable(ModelError):
    """The backend is not running, or the weights are not on disk."""


class ModelTimeout(ModelError):
    """The backend did not answer in time."""


class ModelReplyError(ModelError):
    """The backend answered with something unusable."""
