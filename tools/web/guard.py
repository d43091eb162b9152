"""Which addresses may be dialled, and the network backend that dials no other.

A name is resolved, every address it has is checked, and exactly that address is dialled: for each hop and each new
connection, so that neither a redirect nor a name that changes its address meanwhile leads anywhere else. Certificates
are still checked against the name.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from tools.errors import ConfigError

Resolver = Callable[[str, int], Awaitable[list[str]]]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Blocked(httpcore2.ConnectError):
    """Policy, not a fault of the network, kept this connection from being made."""


@dataclass(frozen=True)
class Policy:
    """Public addresses on `ports`, and on any port what `allow` names."""

    networks: tuple[Network, ...] = ()
    hosts: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset({80, 443})

    @classmethod
    def parse(cls, allow: Iterable[str], ports: Iterable[int]) -> "Policy":
        """From entries such as `10.1.0.0/16`, `127.0.0.1` and `wiki.plant.example`; raises `ConfigError`."""
        networks: list[Network] = []
        hosts: set[str] = set()
        for entry in allow:
            try:
                networks.append(ipaddress.ip_network(entry))
            except ValueError as error:
                if "/" in entry or not entry.strip():
                    raise ConfigError(f"web.allow: {entry!r} is neither a network nor a host name.") from error
                hosts.add(entry.lower().rstrip("."))
        return cls(tuple(networks), frozenset(hosts), frozenset(ports))

    def objection(self, host: str, port: int, addresses: list[str]) -> str:
        """Why this host may not be dialled at these addresses; empty when it may."""
        if host.lower().rstrip(".") in self.hosts:
            return ""
        parsed = [_unwrapped(ipaddress.ip_address(text.partition("%")[0])) for text in addresses]
        if not parsed:
            return f"{host!r} has no address"
        for address in parsed:
            if not self._listed(address) and not _is_public(address):
                return f"{host!r} is at {address}, which is not a public address"
        if port not in self.ports and not all(self._listed(address) for address in parsed):
            return f"port {port} of {host!r} is not among the allowed ports"
        return ""

    def _listed(self, address: Address) -> bool:
        return any(address in network for network in self.networks if network.version == address.version)


def _unwrapped(address: Address) -> Address:
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and (address in _NAT64 or address.sixtofour or address.teredo):
        return False  # an IPv4 address in disguise, private ones included
    return address.is_global and not address.is_multicast


async def resolve(host: str, port: int) -> list[str]:
    """The system's answer; numbers in any notation count as the address they mean."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to addresses the policy has no objection to; `dialled` keeps (host, address) of all of them."""

    def __init__(self, policy: Policy, resolver: Resolver | None = None) -> None:
        self.policy = policy
        self.dialled: set[tuple[str, str]] = set()
        self._resolve = resolver or resolve
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve, check, dial; raises `Blocked`, or `ConnectError` when the network does not do its part."""
        addresses = await self._addresses(host, port, timeout)
        if objection := self.policy.objection(host, port, addresses):
            raise Blocked(objection)
        failure: Exception | None = None
        for address in addresses[:3]:
            self.dialled.add((host, address))
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore2.ConnectError as refused:
                failure = refused
        raise httpcore2.ConnectError(f"{host!r} does not take connections") from failure

    async def _addresses(self, host: str, port: int, timeout: float | None) -> list[str]:
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            pass
        try:
            return await asyncio.wait_for(self._resolve(host, port), timeout)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise httpcore2.ConnectError(f"the name {host!r} has no address") from error

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """Never."""
        raise Blocked("a local socket is not a public address")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def guarded_transport(backend: GuardedBackend, connections: int) -> httpx2.AsyncHTTPTransport:
    """A transport over `backend`; without proxies, for a proxy would dial in our place."""
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    # The transport takes no backend of its own: its pool is replaced before it is ever used.
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=httpx2.create_ssl_context(trust_env=False),
        max_connections=connections,
        max_keepalive_connections=connections,
        keepalive_expiry=15.0,
        network_backend=backend,
    )
    return transport
