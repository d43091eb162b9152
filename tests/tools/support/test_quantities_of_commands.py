"""Long names with dots and hyphens in a command are read at once."""

from soprag.tools.support.quantities import measures

COMMAND = "podman images | grep -v -e docker-registry.usersys.redhat.com -e docker-registry.ops.rhcloud.com -e rhmap "


def test_a_long_command_has_no_quantities_and_takes_no_time() -> None:
    assert list(measures(COMMAND * 20)) == []
