"""The token of a server: whoever sends it may use the server; without one everybody who reaches the server may."""

import hmac
import os

TOKEN = "SOPRAG_TOKEN"  # the environment variable
HEADER = "x-api-key"  # as agent-chat-ui and the LangGraph SDK send it


def allowed(token: str | None) -> bool:
    """Whether the token is the one of the server, or the server has none."""
    expected = os.environ.get(TOKEN, "")
    return not expected or hmac.compare_digest((token or "").encode(), expected.encode())
