"""Series of procedures that a text names by their kind."""

from soprag.tools.markdown.page import read
from soprag.tools.rules.split import split
from soprag.tools.segmentation.series import series_starts
from soprag.tools.tasks.benchmark import MarkdownAsk


def playbook(name: str, *sections: str) -> str:
    return f"## {name}\n\n" + "".join(f"### {section}\n\nDo the {section} work.\n\n" for section in sections)


PLAN = "# Response plan\n\nWho leads.\n\n" + playbook("Assess", "Impact")
PLAYBOOKS = "".join(
    playbook(f"Playbook: {name}", "Investigate", "Contain", "Recover") for name in ("Phishing", "Fraud")
)
ROLES = playbook("Roles", "Scribe", "Liaison")


def starts(text: str) -> list[str]:
    return [title.text for title in series_starts(read(text))]


def test_members_of_a_series_begin_where_they_are_named_and_the_series_ends_at_the_next_section() -> None:
    assert starts(PLAN + PLAYBOOKS + ROLES) == ["Playbook: Phishing", "Playbook: Fraud", "Roles"]
    assert starts(PLAN + PLAYBOOKS) == ["Playbook: Phishing", "Playbook: Fraud"]


def test_one_member_or_members_without_a_common_structure_are_no_series() -> None:
    assert starts(PLAN + playbook("Playbook: Phishing", "Investigate", "Contain")) == []
    assert starts(PLAN + playbook("Method: A", "Ice", "Salt") + playbook("Method: B", "Oil", "Wax")) == []
    assert starts(PLAN + playbook("Role: A", "Duties", "Training") + playbook("Role: B", "Duties", "Training")) == []


def test_a_plan_is_split_into_what_stands_before_the_series_its_members_and_the_rest() -> None:
    text = PLAN + PLAYBOOKS + ROLES
    parts = split(MarkdownAsk(name="plan.md", markdown=text)).parts
    assert [part.title for part in parts] == ["Response plan", "Playbook: Phishing", "Playbook: Fraud", "Roles"]
    assert [part.start for part in parts[1:]] == [part.end + 1 for part in parts[:-1]]


def test_sections_that_open_alike_and_number_their_steps_anew_are_procedures() -> None:
    body = "Scope: salts of the laboratory.\n\n1. Weigh the {0}.\n2. Rinse the {0} with water.\n\n"
    text = "".join(
        f"# {name}\n\n{body.format(thing)}" for name, thing in (("Titration", "flask"), ("Moisture", "dish"))
    )
    assert [part.title for part in split(MarkdownAsk(name="x.md", markdown=text)).parts] == ["Titration", "Moisture"]
    other = text.replace("Scope", "Note", 1)
    assert len(split(MarkdownAsk(name="x.md", markdown=other)).parts) == 1


def test_parts_of_one_thing_are_no_procedures_although_they_are_counted() -> None:
    def counted(kind: str) -> int:
        body = "### Purpose\n\nFor the {0}.\n\n### Steps\n\n1. Stop the {0}.\n2. Start the {0} again.\n\n"
        things = (("A", "pump"), ("B", "fan"))
        text = "".join(f"## {kind} {letter}: the {thing}\n\n{body.format(thing)}" for letter, thing in things)
        return len(split(MarkdownAsk(name="x.md", markdown=f"# Recovery\n\n{text}")).parts)

    assert (counted("Part"), counted("Card")) == (1, 2)
