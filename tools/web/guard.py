"""Protection against server-side request forgery: the address policy, and a network backend that enforces it.

A name is resolved, all of its addresses are checked, and exactly the checked address is dialled, for each redirect and
each new connection; so neither a redirect nor a changed DNS answer leads to an address that was not checked.
Certificates are checked against the name.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from soprag.tools.errors import ConfigError
from soprag.tools.web.head_limit import HeadLimitedStream
from soprag.tools.web.special_addresses import Address, Network, embedded, restriction

Resolver = Callable[[str, int], Awaitable[list[str]]]

_RECEIVED_AHEAD = 262_144  # bytes that the system takes of a body before they are read: a stopped body ends soon


class Blocked(httpcore2.ConnectError):
    """The address policy refused the connection."""


@dataclass(frozen=True)
class AddressPolicy:
    """Allows public addresses on `ports`, and `networks` and `hosts` on any port."""

    networks: tuple[Network, ...] = ()
    hosts: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset({80, 443})

    @classmethod
    def parse(cls, allow: Iterable[str], ports: Iterable[int]) -> "AddressPolicy":
        """A policy from entries such as `10.1.0.0/16`, `127.0.0.1` and `wiki.plant.example`; raises `ConfigError`."""
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
        """Why `host` may not be dialled at `addresses`, its resolved IP addresses; empty when it may."""
        try:
            parsed = [embedded(ipaddress.ip_address(text.partition("%")[0])) for text in addresses]
        except ValueError:
            return f"the name service answered {addresses!r} for {host!r}, which are not all IP addresses"
        if host.lower().rstrip(".") in self.hosts:
            return ""
        for address in parsed:
            if not self._listed(address) and (purpose := restriction(address)):
                return f"{host!r} is at {address}, which is not a public address ({purpose})"
        if port not in self.ports and not all(self._listed(address) for address in parsed):
            return f"port {port} of {host!r} is not among the allowed ports"
        return ""

    def _listed(self, address: Address) -> bool:
        return any(address in network for network in self.networks if network.version == address.version)


async def resolve(host: str, port: int) -> list[str]:
    """The IP addresses of `host` by the name service of the system, which also reads numbers such as 0x7f000001."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections that the policy allows; `dialled` holds (host, address) of every attempt.

    `max_head` limits the bytes before the body of a response.
    """

    def __init__(self, policy: AddressPolicy, resolver: Resolver | None = None, max_head: int = 262_144) -> None:
        self.policy = policy
        self.max_head = max_head
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
        """Resolve, check and dial; raises `Blocked` by policy, `ConnectError` when the network fails."""
        addresses = await self._addresses(host, port, timeout)
        if not addresses:
            raise httpcore2.ConnectError(f"the name {host!r} has no address")
        if objection := self.policy.objection(host, port, addresses):
            raise Blocked(objection)
        options = [*(socket_options or ()), (socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVED_AHEAD)]
        failure: Exception | None = None
        for address in addresses[:3]:
            self.dialled.add((host, address))
            try:
                stream = await self._inner.connect_tcp(address, port, timeout, local_address, options)
                return HeadLimitedStream(stream, self.max_head)
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
        """Raises `Blocked`: a local socket is no public address."""
        raise Blocked("a local socket is not a public address")

    async def sleep(self, seconds: float) -> None:
        """Sleep for `seconds` seconds."""
        await asyncio.sleep(seconds)


def guarded_transport(backend: GuardedBackend, connections: int) -> httpx2.AsyncHTTPTransport:
    """A transport over `backend`; proxies are not used, because a proxy would dial without the policy."""
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
