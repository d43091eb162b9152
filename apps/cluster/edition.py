"""What tells one installation from another: coordinator and workers must run the same code."""

import hashlib
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from soprag.tools.errors import ConfigError

_FOLDERS = ("agents", "apps", "configs", "graphs", "prompts", "tools")
_SUFFIXES = {".py", ".md", ".json", ".toml", ".sql"}


@lru_cache(maxsize=1)
def edition() -> str:
    """Version, a hash over the code, prompts and tables, and Python, such as `soprag 0.1.0 (1a2b3c4d), Python 3.13`."""
    import soprag

    root = Path(soprag.__path__[0])
    files = sorted(file for folder in _FOLDERS for file in (root / folder).rglob("*") if file.suffix in _SUFFIXES)
    content = hashlib.sha256()
    for file in files:
        content.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    python = ".".join(map(str, sys.version_info[:2]))
    return f"soprag {version('soprag')} ({content.hexdigest()[:8]}), Python {python}"


def check_edition(coordinator: str, worker: str) -> None:
    """Raise `ConfigError` on the worker at address `worker` when it runs another edition than the coordinator."""
    if edition() != coordinator:
        raise ConfigError(
            f"The worker {worker} runs {edition()}, the coordinator {coordinator}; install the same soprag in the same "
            "Python on both, and restart the worker."
        )
