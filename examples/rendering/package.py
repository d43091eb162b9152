"""How an Office file is made the same on every build: fixed member order and dates."""

import io
import zipfile
from datetime import UTC, datetime

# The document dates every example carries, so that a rebuild changes nothing.
BUILT = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
AUTHOR = "Northfell Engineering Records"


def freeze(package: bytes) -> bytes:
    """Rewrite a zip package with every member dated `BUILT`; order and contents stay."""
    frozen = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(frozen, "w") as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name, BUILT.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name))
    return frozen.getvalue()
