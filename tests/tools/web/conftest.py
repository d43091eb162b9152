from collections.abc import Iterator

import pytest

from tests.tools.web.site import Site, serve


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as site:
        yield site
