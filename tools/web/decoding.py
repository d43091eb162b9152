"""Streaming decompression with an output limit: a few compressed bytes can expand to gigabytes."""

import zlib

ENCODINGS = "gzip, deflate"  # sent as Accept-Encoding; other encodings have no bounded decoder here and are refused


class TooLarge(Exception):
    """The decoded body exceeds its limit."""


class BadEncoding(Exception):
    """The content encoding was not offered by the request, or the compressed data is damaged."""


class BoundedDecoder:
    """Decodes a body chunk by chunk, to at most `cap` bytes in total; raises `BadEncoding` for an unknown encoding."""

    def __init__(self, encoding: str, cap: int) -> None:
        self._remaining = cap
        self._name = encoding.strip().lower() or "identity"
        if self._name not in ("identity", "gzip", "x-gzip", "deflate"):
            raise BadEncoding(f"it is packed as {encoding!r}, which was not asked for")
        self._unpack = zlib.decompressobj(31) if "gzip" in self._name else None

    def feed(self, data: bytes) -> bytes:
        """The decoded bytes of the next chunk; raises `TooLarge` or `BadEncoding`."""
        if self._name == "deflate" and self._unpack is None and data:
            self._unpack = zlib.decompressobj(15 if _has_header(data) else -15)
        try:
            # One byte more than remains tells "exactly full" from "too large".
            unpacked = self._unpack.decompress(data, self._remaining + 1) if self._unpack else data
        except zlib.error as error:
            raise BadEncoding(f"it is no valid {self._name}: {error}") from error
        self._remaining -= len(unpacked)
        if self._remaining < 0:
            raise TooLarge
        return unpacked

    @property
    def complete(self) -> bool:
        """Whether the compressed stream has reached its end marker; always true for an uncompressed body."""
        return self._unpack is None or self._unpack.eof


def _has_header(data: bytes) -> bool:
    """Whether deflate data starts with a zlib header: servers send it with and without one."""
    return len(data) > 1 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
