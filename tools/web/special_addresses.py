"""IP addresses that no public web page has: special-purpose networks, address translation, cloud metadata.

The table is ours and dated, because `ipaddress.is_global` changes between patch releases of Python: 3.11.7 counts
192.0.0.192, 64:ff9b:1::/48 and ::127.0.0.1 as public. It follows the IANA special-purpose address registries for IPv4
and IPv6 (RFC 6890, RFC 8190) up to RFC 9780, including the blocks that the registries call globally reachable: those
are anycast services of the local network or DNS infrastructure, and none of them hosts web pages.
"""

import ipaddress
from functools import cache

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

TABLE_DATE = "2026-11-22"  # of this version of the table

SPECIAL_IPV4 = (
    ("0.0.0.0/8", "this network, RFC 791"),
    ("10.0.0.0/8", "private use, RFC 1918"),
    ("100.64.0.0/10", "shared address space, RFC 6598; metadata of Alibaba Cloud"),
    ("127.0.0.0/8", "loopback, RFC 1122"),
    ("169.254.0.0/16", "link-local, RFC 3927; metadata of most clouds"),
    ("172.16.0.0/12", "private use, RFC 1918"),
    ("192.0.0.0/24", "IETF protocol assignments, RFC 6890; metadata of Oracle Cloud"),
    ("192.0.2.0/24", "documentation, RFC 5737"),
    ("192.31.196.0/24", "AS112, RFC 7535"),
    ("192.52.193.0/24", "automatic multicast tunneling, RFC 7450"),
    ("192.88.99.0/24", "6to4 relay anycast, RFC 7526"),
    ("192.168.0.0/16", "private use, RFC 1918"),
    ("192.175.48.0/24", "AS112, RFC 7534"),
    ("198.18.0.0/15", "benchmarking, RFC 2544"),
    ("198.51.100.0/24", "documentation, RFC 5737"),
    ("203.0.113.0/24", "documentation, RFC 5737"),
    ("224.0.0.0/4", "multicast, RFC 5771"),
    ("240.0.0.0/4", "reserved and broadcast, RFC 1112"),
)
# Networks that are public by their number, and reachable only from inside the cloud that owns them.
CLOUD_IPV4 = (
    ("168.63.129.16/32", "WireServer of Azure: metadata, DNS and health probes"),
    ("161.26.0.0/16", "infrastructure services of IBM Cloud"),
    ("166.8.0.0/14", "private service endpoints of IBM Cloud"),
    ("199.36.153.4/30", "restricted.googleapis.com of Google Cloud"),
    ("199.36.153.8/30", "private.googleapis.com of Google Cloud"),
)
# IANA allocates global unicast addresses from this network only (RFC 4291); every other IPv6 address is refused.
GLOBAL_IPV6 = "2000::/3"
SPECIAL_IPV6 = (
    ("2001::/23", "IETF protocol assignments, RFC 2928: Teredo, benchmarking, AMT, AS112, ORCHID"),
    ("2001:db8::/32", "documentation, RFC 3849"),
    ("2002::/16", "6to4, RFC 3056"),
    ("2620:4f:8000::/48", "AS112, RFC 7534"),
    ("3ffe::/16", "former 6bone, RFC 3701"),
    ("3fff::/20", "documentation, RFC 9637"),
)
# Outside of the global network; listed for the message, not for the decision.
OTHER_IPV6 = (
    ("::/128", "unspecified, RFC 4291"),
    ("::1/128", "loopback, RFC 4291"),
    ("::/96", "IPv4-compatible, RFC 4291"),
    ("::ffff:0:0:0/96", "IPv4-translated, RFC 2765"),
    ("64:ff9b::/96", "NAT64, RFC 6052"),
    ("64:ff9b:1::/48", "local NAT64, RFC 8215"),
    ("100::/64", "discard-only, RFC 6666"),
    ("100:0:0:1::/64", "dummy prefix, RFC 9780"),
    ("5f00::/16", "segment routing, RFC 9602"),
    ("fc00::/7", "unique local, RFC 4193; metadata of AWS and Google Cloud"),
    ("fe80::/10", "link-local, RFC 4291"),
    ("fec0::/10", "site-local, RFC 3879"),
    ("ff00::/8", "multicast, RFC 4291"),
)
_MAPPED = "::ffff:0:0/96"
_ISATAP = 0x00005EFE  # upper half of an interface identifier that embeds an IPv4 address, RFC 5214, 6.1
_UNIVERSAL_BIT = 0x02000000


def embedded(address: Address) -> Address:
    """The IPv4 address of an IPv4-mapped IPv6 address, which is what a connection to it dials; else `address`."""
    if isinstance(address, ipaddress.IPv6Address) and address in _network(_MAPPED):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def restriction(address: Address) -> str:
    """The special purpose of `address`, with its source; empty for a public address."""
    address = embedded(address)
    if isinstance(address, ipaddress.IPv4Address):
        return _purpose(address, SPECIAL_IPV4 + CLOUD_IPV4)
    if address not in _network(GLOBAL_IPV6):
        return _purpose(address, OTHER_IPV6) or "not allocated, RFC 4291"
    if (int(address) >> 32) & 0xFFFFFFFF & ~_UNIVERSAL_BIT == _ISATAP:
        return "ISATAP, RFC 5214"
    return _purpose(address, SPECIAL_IPV6)


def _purpose(address: Address, table: tuple[tuple[str, str], ...]) -> str:
    return next((purpose for network, purpose in table if address in _network(network)), "")


@cache
def _network(text: str) -> Network:
    return ipaddress.ip_network(text)
