"""Licences as documents state them, and only where they state their own."""

import pytest

from soprag.tools.publishing.licences import NOT_STATED, licence_files, licence_of, named_licence
from soprag.tools.sop import Document, Provenance

BODY = "# Restart\n\n" + "\n\n".join(f"{number}. Do step {number}." for number in range(40)) + "\n"


def document(location: str = "pumps/restart.md", licence: str | None = None) -> Document:
    origin = Provenance(origin="folder", location=location, licence=licence)
    return Document(id="d", name="restart.md", suffix=".md", size=1, provenance=origin)


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("apache-2.0", "Apache-2.0"),
        ("MIT OR Apache-2.0", "MIT OR Apache-2.0"),
        ("// SPDX-License-Identifier: GPL-2.0-or-later", "GPL-2.0-or-later"),
        ("https://creativecommons.org/licenses/by-sa/4.0/deed.de", "CC-BY-SA-4.0"),
        ("Text under CC BY-NC 3.0, see the footer", "CC-BY-NC-3.0"),
        ("licensed under a Creative Commons Attribution-ShareAlike 4.0 International License", "CC-BY-SA-4.0"),
        ("Creative Commons Attribution-NonCommercial-NoDerivatives 4.0", "CC-BY-NC-ND-4.0"),
        ("Licensed under the Apache License, Version 2.0 (the License)", "Apache-2.0"),
        ("Contains information under the Open Government Licence v3.0", "OGL-UK-3.0"),
        ("© 2024 Example Ltd. All rights reserved.", "all rights reserved"),
        ("Apply for a licence at the gate.", ""),
        ("", ""),
    ],
)
def test_a_licence_is_named_by_its_spdx_id(text: str, licence: str) -> None:
    assert named_licence(text) == licence


@pytest.mark.parametrize(
    ("markdown", "licence", "place"),
    [
        (f"---\ntitle: x\nlicense: 'cc-by-4.0'\n---\n{BODY}", "CC-BY-4.0", "front matter"),
        (f"{BODY}\n© 2024 A. This page is licensed CC BY-SA 4.0.\n", "CC-BY-SA-4.0", "footer"),
        (f"# Restart\n\nCopyright 2020, all rights reserved.\n{BODY}", "all rights reserved", "header"),
        (f"{BODY}\nThe tool is under the MIT License.\n{BODY}", NOT_STATED, ""),
    ],
)
def test_a_document_states_its_own_licence_at_its_ends_only(markdown: str, licence: str, place: str) -> None:
    stated = licence_of(document(), markdown, [])
    assert (stated.licence, stated.place) == (licence, place)


def test_the_nearest_licence_file_above_holds() -> None:
    files = licence_files(
        [("LICENSE", "MIT License"), ("pumps/COPYING.txt", "GNU General Public License\nVersion 3"), ("a.md", "MIT")]
    )
    assert licence_of(document(), BODY, files).licence == "GPL-3.0-only"
    assert licence_of(document("fans/reset.md"), BODY, files).licence == "MIT"
    assert licence_of(document("fans/reset.md"), BODY, files[1:]).licence == NOT_STATED


def test_what_the_collector_found_comes_first() -> None:
    found = licence_of(document(licence="http://creativecommons.org/licenses/by/3.0/"), f"{BODY}\nMIT License", [])
    assert (found.licence, found.place) == ("CC-BY-3.0", "the source")
