"""Who may use a server of `soprag serve`: whoever sends its token, or anybody on this machine where it has none."""

from langgraph_sdk import Auth

from soprag.apps.serve.access import HEADER, allowed

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """The one user of this server; raises the 401 of the server without the token."""
    if not allowed(headers.get(HEADER.encode(), b"").decode("utf-8", "replace")):
        raise Auth.exceptions.HTTPException(401, "A token is needed, as the header x-api-key.")
    return {"identity": "operator"}
