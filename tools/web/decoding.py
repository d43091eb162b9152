"""Unpacking a body as it arrives, never by more than its cap: a few bytes can unpack to gigabytes."""

import zlib

ENCODINGS = "gzip, deflate"  # what is asked for; anything else has no bounded decoder here and is refused


class TooLarge(Exception):
    """The body is larger than its cap."""


class BadEncoding(Exception):
    """The body is packed in a way that was not asked for, or damaged."""


class BoundedDecoder:
    """Bytes in, at most `cap` bytes out, all told."""

    def __init__(self, encoding: str, cap: int) -> None:
        self._left = cap
        self._name = encoding.strip().lower() or "identity"
        if self._name not in ("identity", "gzip", "x-gzip", "deflate"):
            raise BadEncoding(f"it is packed as {encoding!r}, which was not asked for")
        self._unpack = zlib.decompressobj(31) if "gzip" in self._name else None

    def feed(self, data: bytes) -> bytes:
        """The next piece, unpacked; raises `TooLarge` or `BadEncoding`."""
        if self._name == "deflate" and self._unpack is None and data:
            self._unpack = zlib.decompressobj(15 if _has_header(data) else -15)
        try:
            # One byte more than is left tells "exactly full" from "too large".
            unpacked = self._unpack.decompress(data, self._left + 1) if self._unpack else data
        except zlib.error as fault:
            raise BadEncoding(f"it is no valid {self._name}: {fault}") from fault
        self._left -= len(unpacked)
        if self._left < 0:
            raise TooLarge
        return unpacked

    @property
    def whole(self) -> bool:
        """Whether the packed data came to its end."""
        return self._unpack is None or self._unpack.eof


def _has_header(data: bytes) -> bool:
    """Servers send `deflate` with and without its header."""
    return len(data) > 1 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
