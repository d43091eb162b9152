"""URLs: validation, normal form, the key under which equal pages are found, and the pattern of a URL."""

import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

_LONGEST = 2000  # characters
# Tracking and session parameters: they identify the visitor and do not select the content.
_TRACKING = re.compile(
    r"^(utm_\w+|(fb|g|dcl|gb|msc|y|tw|ttc|wb)(clid|raid|lid)|mc_[ce]id|_ga|_gl|igshid|_hs\w+|hsctatracking|mkt_tok|"
    r"spm|vero_\w+|oly_\w+_id|(php|asp|j|cf)?sess(ion)?_?id|phpsessid|jsessionid|aspsessionid\w*|sid|cftoken|cfid)$",
    re.IGNORECASE,
)
_SESSION_PATH = re.compile(r";(jsessionid|sid|phpsessid)=[^/?#]*|/\(S\([a-z0-9]+\)\)", re.IGNORECASE)


def normalise(url: str, base: str = "") -> str:
    """The absolute URL of `url` relative to `base`, without its fragment; empty when it cannot be fetched.

    Only http and https are accepted, without user names and control characters.
    """
    from url_normalize import url_normalize

    try:
        joined = urljoin(base, url.strip()) if base else url.strip()
        if len(joined) > _LONGEST or not re.match(r"https?://[^/\s\\]", joined, re.IGNORECASE):
            return ""
        parts = urlsplit(url_normalize(joined) or "")
        if not parts.hostname or "@" in parts.netloc or parts.port == 0:
            return ""
    except (ValueError, UnicodeError):
        return ""
    return urlunsplit(parts._replace(fragment=""))


def key(url: str) -> str:
    """A key that is equal for spellings of one URL: without scheme, tracking, session and parameter order."""
    from w3lib.url import canonicalize_url

    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _is_tracking(name)]
    bare = parts._replace(path=_SESSION_PATH.sub("", parts.path), query=urlencode(query), fragment="")
    return canonicalize_url(urlunsplit(bare)).partition("://")[2].rstrip("?")


def template(url: str) -> str:
    """The pattern of host, path and parameter names with digits masked: equal for all pages of a calendar.

    Parameters of tracking and sessions do not count: a page with one is of the same kind as without.
    """
    parts = urlsplit(url)
    masked = re.sub(r"\d+", "#", _SESSION_PATH.sub("", parts.path))
    # Long hexadecimal segments with a digit are identifiers.
    masked = re.sub(r"(?<=/)(?=[^/]*#)[0-9a-f#-]{8,}(?=/|\.|$)", "#", masked, flags=re.IGNORECASE)
    given = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if not _is_tracking(name)}
    names = sorted({re.sub(r"\d+", "#", name) for name in given})
    return f"{parts.netloc}{masked}?{'&'.join(names)}" if names else f"{parts.netloc}{masked}"


def host(url: str) -> str:
    """The host and port of a URL, as it writes them."""
    return urlsplit(url).netloc


def folders(url: str) -> list[str]:
    """The URLs of the folders that a page lies in, without the root of its host."""
    parts = urlsplit(url)
    names = parts.path.split("/")[1:-1]
    return [f"{parts.scheme}://{parts.netloc}/{'/'.join(names[:count])}/" for count in range(1, len(names) + 1)]


def has_session(url: str) -> bool:
    """Whether the path of a URL carries a session identifier."""
    return bool(_SESSION_PATH.search(url))


def _is_tracking(name: str) -> bool:
    return bool(_TRACKING.match(name))
