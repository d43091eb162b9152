import pytest

from tests.tools.rules.reading import views


def links(body: str) -> set[tuple[str, str, str]]:
    view = views(body).causal
    texts = {state.id: state.text for state in view.states}
    return {(texts[edge.source], edge.relation, texts[edge.target]) for edge in view.edges}


def resolved(body: str) -> set[str]:
    view = views(body).causal
    return {state.text for state in view.states if state.id in view.resolves}


@pytest.mark.parametrize(
    ("sentence", "link"),
    [
        (
            "The pump trips because the inlet filter is blocked.",
            ("the inlet filter is blocked", "causes", "The pump trips"),
        ),
        ("A blocked filter leads to a high pressure drop.", ("A blocked filter", "causes", "a high pressure drop")),
        (
            "Vent the housing to avoid cavitation of the pump.",
            ("Vent the housing", "prevents", "cavitation of the pump"),
        ),
        ("Open the bypass to allow flow through it.", ("Open the bypass", "enables", "flow through it")),
        ("Lower the speed to reduce noise in the hall.", ("Lower the speed", "mitigates", "noise in the hall")),
    ],
)
def test_causal_words_link_what_stands_on_their_sides(sentence: str, link: tuple[str, str, str]) -> None:
    assert links(sentence) == {link}


def test_causes_lead_to_the_symptom_and_the_symptom_to_the_impact() -> None:
    body = (
        "## Meaning\n\nThe disk does not respond.\n\n## Impact\n\nData may be lost.\n\n## Possible causes\n\n"
        "The cable is loose.\n"
    )
    assert ("The disk does not respond", "causes", "Data may be lost") in links(body)
    assert ("The cable is loose", "causes", "The disk does not respond") in links(body)
    assert resolved(body) == {"The disk does not respond", "Data may be lost"}


def test_a_table_from_alarm_to_action_links_its_columns() -> None:
    body = "| Alarm | Cause | Action |\n|---|---|---|\n| A01 no flow | Belt broken | Replace the belt. |\n"
    assert links(body) == {("Belt broken", "causes", "A01 no flow"), ("Replace the belt", "mitigates", "Belt broken")}
    assert resolved(body) == {"A01 no flow", "Belt broken"}


def test_what_stands_behind_an_if_is_a_state_the_procedure_deals_with() -> None:
    assert "the drive stops suddenly" in resolved("## Procedure\n\n1. If the drive stops suddenly, call the lead.\n")


def test_states_know_their_lines() -> None:
    states = views("# Disk\n\n## Meaning\n\nThe disk\ndoes not respond.\n").causal.states
    assert [(state.text, state.lines and (state.lines.start, state.lines.end)) for state in states] == [
        ("The disk does not respond", (5, 6))
    ]


def test_plain_instructions_are_no_states() -> None:
    assert views("## Procedure\n\n1. Open the valve.\n2. Close the door.\n").causal.states == ()


def test_a_state_keeps_its_decimal_numbers_whole() -> None:
    body = "# T\n\n1. Check the pressure. If it is more than 0.3 bar low, look for a leak.\n"
    assert "it is more than 0.3 bar low" in resolved(body)
