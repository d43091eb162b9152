"""LangChain's agent-chat-ui, unchanged: built from its sources in the npm package create-agent-chat-app, served here.

What was built is kept in the cache of this user, since fetching and building take minutes.
"""

import functools
import shutil
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import platformdirs
import pytest

PACKAGE = "create-agent-chat-app@0.1.6"
_MINUTES = 10


def client_folder() -> Path:
    """The built client; skips the test where npm is missing or has no registry."""
    folder = platformdirs.user_cache_path("soprag-tests") / PACKAGE
    if not (folder / "index.html").is_file():
        if not shutil.which("npm"):
            pytest.skip("there is no npm, with which agent-chat-ui is fetched and built")
        with tempfile.TemporaryDirectory() as name:
            built = _build(Path(name))
            shutil.copytree(built, folder, dirs_exist_ok=True)
    return folder


def _build(folder: Path) -> Path:
    try:
        _run(folder, "npm", "pack", "--silent", PACKAGE)
    except subprocess.SubprocessError:
        pytest.skip("the npm registry does not answer")
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        packed.extractall(folder, filter="data")
    source = folder / "package" / "templates" / "vite"
    _run(source, "npm", "install", "--silent", "--legacy-peer-deps", "--no-audit", "--no-fund")
    _run(source, "npx", "vite", "build")
    return source / "dist"


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60 * _MINUTES)


@contextmanager
def client_of(server: str, graph: str = "troubleshoot") -> Iterator[str]:
    """The address of the client, set to a graph of `server`."""
    handler = functools.partial(_QuietHandler, directory=str(client_folder()))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/?apiUrl={server}&assistantId={graph}"
        site.shutdown()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests have no use for a log of requests."""
