"""Personal data by its form; part numbers, ranges and roles are none."""

import pytest

from soprag.tools.publishing.personal_data import count_personal, mask_personal


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Mail ops.team+night@plant.example.com at once.", "Mail [e-mail] at once."),
        ("Call +44 (0)20 7946 0018 or 555-010-9999.", "Call [phone] or [phone]."),
        ("Tel.: 030 12345678", "Tel.: [phone]"),
        ("**Phone:** (617) 555-0123", "**Phone:** [phone]"),
        ("Contact: Maria van der Berg, ext. 12", "Contact: [name], ext. 12"),
        ("Prepared by: J. Smith", "Prepared by: J. Smith"),
        ("| Author: Jane Smith | 2020 |", "| Author: [name] | 2020 |"),
        ("Contact: Shift Supervisor", "Contact: Shift Supervisor"),
        ("Owner: Facilities Team", "Owner: Facilities Team"),
        ("Part number 555-12-3456-78, 2020-01-31, 4.5-6.5 bar, 10.0.0.12", None),
        ("    ssh -p 22 admin@host.plant.example", None),
        ("Valves 101 102 103 104 105 are closed", None),
    ],
)
def test_personal_data_is_masked_by_its_kind(text: str, masked: str | None) -> None:
    assert mask_personal(text) == (masked or text)


def test_what_the_procedure_reveals_is_masked_in_its_questions_too() -> None:
    procedure = "Contact: Jane Smith\n\n1. Tell Jane Smith at once."
    assert mask_personal("Do I tell Jane Smith?", procedure) == "Do I tell [name]?"
    assert mask_personal(procedure) == "Contact: [name]\n\n1. Tell [name] at once."


def test_pieces_are_counted_by_kind() -> None:
    text = "Contact: Jane Smith, jane@plant.example, bob@plant.example, +1 555 010 9999"
    assert count_personal(text) == {"name": 1, "e-mail": 2, "phone": 1}
