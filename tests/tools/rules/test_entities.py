import pytest

from soprag.tools.sop import Entity
from tests.tools.rules.reading import views


def entities(body: str, title: str = "Start the pump") -> dict[str, Entity]:
    return {entity.name: entity for entity in views(body, title).entity.entities}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("The alarm E-042 comes on.", "E-042", "alarm"),
        ("The alert `KubePodNotReady` fires.", "KubePodNotReady", "alarm"),
        ("Close valve V-3 slowly.", "V-3", "asset"),
        ("Look at the chilled water pump.", "chilled water pump", "asset"),
        ("Tell the shift supervisor.", "shift supervisor", "role"),
        ("Run `oc adm upgrade` now.", "oc adm upgrade", "command"),
        ("```console\n$ etcdctl endpoint health\n```", "etcdctl endpoint health", "command"),
        ("Set `MAX_RETRIES=5` first.", "MAX_RETRIES", "parameter"),
        ("Write to #summit-simonyi.", "#summit-simonyi", "other"),
    ],
)
def test_a_name_is_found_with_its_kind(text: str, name: str, kind: str) -> None:
    assert entities(text)[name].kind == kind


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("The supply temperature must be below 18 °C.", "supply temperature", "below 18 °C"),
        ("Coolant pressure: 2.5 to 3.0 bar", "Coolant pressure", "2.5 to 3.0 bar"),
    ],
)
def test_a_quantity_keeps_its_range_and_unit(text: str, name: str, value: str) -> None:
    assert entities(text)[name].attributes == {"value": value}


def test_a_table_of_parameters_gives_their_attributes() -> None:
    found = entities("| Parameter | Range | Unit |\n|---|---|---|\n| Flow rate | 10-12 | L/min |\n")
    assert found["Flow rate"].attributes == {"range": "10-12", "unit": "L/min"}


def test_codes_in_the_alarm_column_of_a_table_are_alarms() -> None:
    found = entities("| Alarm | Cause | Action |\n|---|---|---|\n| CRAC-A01 | Belt | Replace the belt. |\n")
    assert found["CRAC-A01"].kind == "alarm"


def test_a_title_in_one_word_is_the_name_of_an_alert() -> None:
    assert entities("Some text.", title="CephOSDFlapping")["CephOSDFlapping"].kind == "alarm"


def test_an_abbreviation_says_what_it_stands_for_and_equipment_where_it_is() -> None:
    found = entities("The Coolant Distribution Unit (CDU) is on. The drain valve is located in the pump room.")
    assert found["CDU"].attributes == {"means": "Coolant Distribution Unit"}
    assert found["drain valve"].attributes == {"location": "in the pump room"}


def test_bare_numbers_articles_and_verbs_are_no_names() -> None:
    assert {"5", "the", "Open", "WARNING"} & set(entities("WARNING: Open the 5 doors.")) == set()
