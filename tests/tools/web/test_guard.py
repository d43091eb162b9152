"""The address policy as a table: what is dialled and what is not, whatever the running Python calls public."""

import ipaddress
import re
from datetime import date

import httpcore2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from soprag.tools.errors import ConfigError
from soprag.tools.web import special_addresses
from soprag.tools.web.fetcher import open_fetcher
from soprag.tools.web.guard import AddressPolicy, Blocked, GuardedBackend, resolve
from soprag.tools.web.special_addresses import (
    CLOUD_IPV4,
    OTHER_IPV6,
    SPECIAL_IPV4,
    SPECIAL_IPV6,
    TABLE_DATE,
    restriction,
)
from tests.tools.web.site import LOOPBACK, Site, html, settings

TABLES = [*SPECIAL_IPV4, *CLOUD_IPV4, *SPECIAL_IPV6, *OTHER_IPV6]
REFUSED = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.0.23 169.254.42.42
    169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.170 192.0.0.192
    192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 161.26.0.10 166.9.0.1 199.36.153.8
    :: ::1 ::127.0.0.1 ::169.254.169.254 ::8.8.8.8 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254
    ::ffff:168.63.129.16 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1
    64:ff9b:1:ffff::127.0.0.1 100::1 100:0:0:1::1 200::1 2001::1 2001:0:53aa:64c::1 2001:1::1 2001:2::1 2001:3::1
    2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1
    2620:4f:8000::1 3ffe::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 febf::1
    fec0::1 feff::1 ff02::1 ff0e::1 2001:470:1::5efe:10.0.0.1 2001:470:1::200:5efe:8.8.8.8
"""
PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255
    192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1 2400:cb00::1
    2606:4700::1111 2620:4f:7fff::1 2620:4f:8001::1 2a00:1450::1 3ffd::1 ::ffff:8.8.8.8
"""


@pytest.mark.parametrize("address", REFUSED.split())
def test_an_address_of_a_special_network_is_not_public(address: str) -> None:
    assert AddressPolicy().objection("plant.example", 443, [address])


@pytest.mark.parametrize("address", PUBLIC.split())
def test_any_other_address_is_public(address: str) -> None:
    assert AddressPolicy().objection("plant.example", 443, [address]) == ""


@pytest.mark.parametrize(("network", "purpose"), TABLES)
def test_a_network_is_refused_from_its_first_to_its_last_address_with_its_purpose(network: str, purpose: str) -> None:
    block = ipaddress.ip_network(network)
    for address in (block[0], block[block.num_addresses // 2], block[-1]):
        assert restriction(address)
        assert f"({restriction(address)})" in AddressPolicy().objection("plant.example", 80, [str(address)])
    assert restriction(block[block.num_addresses // 2]) == purpose or network in ("::/96", "::/128", "::1/128")


def test_the_table_has_a_date_and_every_entry_a_source() -> None:
    assert date.fromisoformat(TABLE_DATE) <= date(2100, 1, 1)
    assert all(re.search(r"RFC \d+", purpose) for _, purpose in [*SPECIAL_IPV4, *SPECIAL_IPV6, *OTHER_IPV6])


def test_the_decision_does_not_ask_the_running_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (ipaddress.IPv4Address, ipaddress.IPv6Address):
        for name in ("is_global", "is_private", "is_reserved", "is_multicast", "is_link_local", "is_loopback"):
            monkeypatch.setattr(kind, name, property(lambda _: pytest.fail("the table decides")), raising=False)
    assert [bool(restriction(ipaddress.ip_address(address))) for address in ("192.0.0.192", "fec0::1", "8.8.8.8")] == [
        True,
        True,
        False,
    ]


@given(st.ip_addresses())
def test_nothing_that_python_calls_private_is_public_here(address: special_addresses.Address) -> None:
    mapped = isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped
    assert mapped or address.is_global or restriction(address)


@given(st.ip_addresses(v=4))
def test_a_mapped_address_is_judged_like_the_address_in_it(address: ipaddress.IPv4Address) -> None:
    assert restriction(ipaddress.ip_address(f"::ffff:{address}")) == restriction(address)


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    assert "10.0.0.1" in AddressPolicy().objection("mixed.example", 443, ["93.184.216.34", "10.0.0.1"])


def test_an_allowed_network_does_not_open_its_neighbours() -> None:
    policy = AddressPolicy.parse(["10.1.0.0/16", "fd00:1::/64"], [443])
    assert policy.objection("wiki", 8080, ["10.1.2.3", "fd00:1::5"]) == ""
    assert policy.objection("wiki", 8080, ["::ffff:10.1.2.3"]) == ""
    assert policy.objection("wiki", 443, ["10.2.0.1"])
    assert policy.objection("wiki", 443, ["64:ff9b::10.1.2.3"])


@pytest.mark.parametrize(
    "answer", ["not an address", "", "010.0.0.1", "127.1", "fe80::g", "plant.example", "1.2.3.4.5"]
)
@pytest.mark.parametrize("allow", [[], ["plant.test"]])
async def test_a_name_service_that_answers_with_no_ip_address_is_refused(
    site: Site, answer: str, allow: list[str]
) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1", answer]

    site.put("/a", html("x"))
    async with open_fetcher(settings(), allow=[LOOPBACK, *allow], resolver=resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "blocked"
        assert fetcher.dialled == set()


async def test_a_name_without_addresses_is_a_failure_of_the_network(site: Site) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return []

    async with open_fetcher(settings(), allow=["plant.test"], resolver=resolve) as fetcher:
        assert (await fetcher.fetch(site.url("/a"))).kind == "network"


async def test_the_backend_dials_nothing_that_the_policy_refuses() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["192.0.0.192"]

    backend = GuardedBackend(AddressPolicy(), resolve)
    for host in ("metadata.example", "192.0.0.192", "fec0::1", "::127.0.0.1"):
        with pytest.raises(Blocked):
            await backend.connect_tcp(host, 80, timeout=1.0)
    with pytest.raises(Blocked):
        await backend.connect_unix_socket("/run/service.sock")
    assert backend.dialled == set()
    assert issubclass(Blocked, httpcore2.ConnectError)


@pytest.mark.parametrize("entry", ["10.0.0.0/99", " ", "10.1.2.3/16"])
def test_an_allowed_entry_that_is_neither_network_nor_host_is_an_error(entry: str) -> None:
    with pytest.raises(ConfigError, match=r"web\.allow"):
        AddressPolicy.parse([entry], [443])


def test_a_public_address_is_refused_on_a_port_that_is_not_allowed_and_the_port_is_named() -> None:
    assert AddressPolicy().objection("plant.example", 8443, ["8.8.8.8"]).startswith("port 8443 of 'plant.example'")
    assert AddressPolicy(ports=frozenset({8443})).objection("plant.example", 8443, ["8.8.8.8"]) == ""


async def test_a_number_is_resolved_to_the_address_it_stands_for() -> None:
    assert await resolve("0x7f000001", 80) == ["127.0.0.1"]
