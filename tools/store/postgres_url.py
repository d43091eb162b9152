"""The URL of a schema in PostgreSQL: `postgresql://user@host/database?schema=plant`, with libpq's other parameters.

A schema holds one index, or the sessions of a server. The password stands best in `PGPASSWORD` or `~/.pgpass`, where
libpq looks for it.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from soprag.tools.errors import UsageError

_SCHEMES = ("postgresql://", "postgres://")
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HOSTS = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.%-]*)(:\d*)?")
_SECRET = ("password", "sslpassword")


@dataclass(frozen=True)
class PostgresUrl:
    """What libpq connects to, the schema, and the name for messages, which holds no password."""

    address: str
    schema: str
    name: str


def is_url(place: object) -> bool:
    """Whether a place is the URL of a database; every other name is a folder."""
    return str(place).startswith(_SCHEMES)


def read_url(url: str, schema: str = "soprag") -> PostgresUrl:
    """The parts of a URL, with the schema for one that names none.

    Raises `UsageError`, which does not repeat the URL: a password may be in a wrong place.
    """
    parts = urlsplit(url)
    account, at, host = parts.netloc.rpartition("@")
    if parts.fragment or "@" in account or not all(_HOSTS.fullmatch(one) for one in host.split(",")):
        raise UsageError("The postgresql:// URL is not valid; write `@` and `#` of a password as %40 and %23.")
    parameters = dict(parse_qsl(parts.query))
    schema = parameters.pop("schema", schema)
    if not _SCHEMA.fullmatch(schema):
        raise UsageError(f"The schema {schema!r} is not valid; use small letters, digits and `_`.")
    shown = {key: value for key, value in parameters.items() if key not in _SECRET} | {"schema": schema}
    where = f"{account.partition(':')[0]}{at}{host}{parts.path}"
    address = parts._replace(query=urlencode(parameters)).geturl()
    return PostgresUrl(address, schema, f"postgresql://{where}?{urlencode(shown, safe='/')}")


def shown_name(place: str) -> str:
    """The name of a place as it was given, without a password."""
    return read_url(place).name if is_url(place) else place
