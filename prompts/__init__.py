"""Every word we send to a model: one Markdown file per task, the whole file is the system message."""

import hashlib
from functools import cache
from importlib.resources import files


@cache
def load(name: str) -> str:
    """The system message of the task `name`."""
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def version(name: str) -> str:
    """The first 12 hex digits of the prompt's SHA-256: it changes whenever a word does."""
    return hashlib.sha256(load(name).encode()).hexdigest()[:12]
