"""Starts the LangGraph server of `soprag serve` with the web client."""

import ipaddress
import os
from dataclasses import dataclass
from typing import Any

from soprag.apps.compose.served import with_index
from soprag.apps.compose.served_sessions import served_database
from soprag.apps.serve.access import TOKEN
from soprag.configs.settings import Settings
from soprag.tools.errors import ConfigError, UsageError

_LOCAL = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"
_HUNG = 30  # seconds after which a process that answers nothing is replaced; on a busy machine it begins to answer late
_GRAPHS = {
    "troubleshoot": "Finds the standard operating procedure for a symptom or a task, computes, and guides through it.",
    "flow": "Guides an operator through one standard operating procedure of the index.",
}


@dataclass(frozen=True)
class ServerAddress:
    """Where the server listens; `token` is needed for any address but loopback."""

    host: str
    port: int
    token: str = ""

    def check(self) -> None:
        """Raise `UsageError` for an address that others can reach without a token."""
        if not self.token and not _is_loopback(self.host):
            raise UsageError(
                f"Others can reach {self.host!r}; set a token with --token or ${TOKEN}, or listen on 127.0.0.1."
            )

    @property
    def url(self) -> str:
        """The address for a browser."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _origins(address: ServerAddress) -> dict[str, Any]:
    """The pages that may use the server: any with the token, and without one those that this machine serves."""
    every = {"allow_methods": ["*"], "allow_headers": ["*"], "expose_headers": ["*"]}
    return (
        {**every, "allow_origins": ["*"]}
        if address.token
        else {**every, "allow_origins": [], "allow_origin_regex": _LOCAL}
    )


def serve(address: ServerAddress, settings: Settings, *, browser: bool = False) -> None:
    """Serve until it is stopped; raises `ConfigError` without the extra `serve`.

    The processes accept from one socket. One that ends is replaced; on SIGTERM each ends the turns under way first, and
    SIGHUP replaces them one after the other.
    """
    address.check()
    served = settings.serve
    if served.processes > 1:
        _check_shared(settings)
    try:
        from langgraph_api.cli import run_server
    except ModuleNotFoundError as missing:
        raise ConfigError("The server needs an extra: pip install 'soprag[serve]'.") from missing
    os.environ.setdefault("SOPRAG_CHAT__PAGES", address.url)
    os.environ[TOKEN] = address.token
    described = {name: {"path": f"soprag.apps.studio:{name}", "description": words} for name, words in _GRAPHS.items()}
    run_server(
        address.host,
        address.port,
        graphs=described,
        http={"app": "soprag.apps.serve.site:app", "cors": _origins(address)},
        auth={"path": "soprag.apps.serve.token:auth", "disable_studio_auth": True},
        checkpointer={"path": "soprag.apps.studio.checkpoints"},
        open_browser=browser,
        disable_persistence=bool(served.sessions),
        n_jobs_per_worker=served.turns,
        workers=served.processes,
        timeout_graceful_shutdown=round(served.drain),
        timeout_worker_healthcheck=_HUNG,
    )


def _check_shared(settings: Settings) -> None:
    """Make what all processes read; raises `UsageError` when they could not go on with the threads of each other."""
    if not settings.serve.sessions:
        raise UsageError(
            "More than one process needs sessions that all of them reach: --sessions postgresql://user@host/database."
        )
    database = served_database(settings)
    if database:
        database.prepare()
        database.close()
    with_index(settings)
