from typing import Any

import pytest
from pydantic import ValidationError

from soprag.agents.auditor import Auditor, SplitLimits
from soprag.tools.errors import AnswerInvalid, DocumentError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Document, Provenance, digest
from soprag.tools.store.run_records import Audited
from soprag.tools.tasks.benchmark import DocumentVerdict, Preamble, SopPart

STEPS = "1. Open the valve.\n2. Start the pump.\n3. Check the pressure and close the drain.\n"
MANUAL = f"""# Plant procedures

These warnings apply to all procedures.

**WARNING:** Hot surfaces.

## Start of pump P-1

{STEPS}
## Shutdown of pump P-1

{STEPS}"""


def verdict(**fields: Any) -> DocumentVerdict:
    return DocumentVerdict(is_sop=True, reason="steps", confidence=1, **fields)


def document(text: str) -> Document:
    place = Provenance(origin="folder", location="manual.md")
    return Document(id=digest(text), name="manual.md", suffix=".md", size=len(text), provenance=place)


async def test_rules_cut_a_manual_into_sops_that_each_keep_the_shared_warning() -> None:
    sops = (await Auditor(RulesLlm()).audit(document(MANUAL), MANUAL)).sops
    assert [sop.title for sop in sops] == ["Start of pump P-1", "Shutdown of pump P-1"]
    assert all("**WARNING:** Hot surfaces." in sop.body for sop in sops)
    assert all(STEPS.strip() in sop.body for sop in sops)
    assert [sop.id for sop in sops] == [f"{digest(MANUAL)[:12]}-7", f"{digest(MANUAL)[:12]}-13"]
    assert {sop.language for sop in sops} == {"en"}


async def test_bodies_are_cut_from_the_document_and_not_taken_from_the_model() -> None:
    answer = verdict(
        parts=[SopPart(title="A  b", start=7, end=9), SopPart(title="C", start=13, end=14)],
        shared=[Preamble(start=1, end=5)],
    )
    sops = (await Auditor(ScriptedLlm({"audit": answer}), 10_000).audit(document(MANUAL), MANUAL)).sops
    lines = MANUAL.split("\n")
    assert sops[0].title == "A b"
    assert sops[0].body == "\n".join(lines[:12])
    assert sops[1].body == "\n".join(lines[:6] + lines[12:])


async def test_a_text_that_is_not_surely_a_procedure_is_doubtful_and_an_unreadable_one_is_not() -> None:
    minutes = "# Minutes of the meeting\n\nWe talked about the pump on 3 May. It was repaired last week.\n"
    texts = (MANUAL, minutes, "![](page.png)\n")
    assert [(await Auditor(RulesLlm()).audit(document(text), text)).doubtful for text in texts] == [False, True, False]


async def test_a_model_sees_line_numbers_and_rules_see_the_text() -> None:
    model = ScriptedLlm({"audit": verdict(parts=[SopPart(title="x", start=1, end=1)])})
    await Auditor(model, 10_000).audit(document(MANUAL), MANUAL)
    assert model.requests[0][1].markdown.startswith("1| # Plant procedures\n2| \n3| These")


async def test_of_a_long_document_a_model_sees_at_most_its_limit_with_every_heading() -> None:
    text = MANUAL + "\n".join(f"{n}. Check the gauge number {n} and write it down.\n" for n in range(4, 900))
    model = ScriptedLlm({"audit": verdict(parts=[SopPart(title="x", start=1, end=2)])})
    await Auditor(model, 3_000).audit(document(text), text)
    (_, shown), *others = model.requests
    assert not others
    assert len(shown.markdown) <= 3_000
    assert "13| ## Shutdown of pump P-1" in shown.markdown
    assert "not shown]" in shown.markdown


async def test_no_model_is_asked_about_a_document_without_text() -> None:
    model = ScriptedLlm()
    judged = (await Auditor(model, 3_000).audit(document("scan"), "![](page.png)\n")).verdict
    assert not judged.is_sop
    assert "words" in judged.reason


def test_an_sop_has_at_least_one_part() -> None:
    with pytest.raises(ValidationError, match="at least one part"):
        verdict(parts=[])
    assert DocumentVerdict(is_sop=False, reason="news", confidence=1).parts == []


async def test_a_document_that_is_no_sop_gives_no_sops_and_one_request() -> None:
    model = ScriptedLlm({"audit": DocumentVerdict(is_sop=False, reason="news", confidence=1)})
    audit = await Auditor(model, 3_000).audit(document(MANUAL), MANUAL)
    assert (audit.verdict.reason, audit.sops) == ("news", ())
    assert len(model.requests) == 1


async def test_a_split_outside_the_document_is_refused() -> None:
    model = ScriptedLlm({"audit": verdict(parts=[SopPart(title="x", start=900, end=901)])})
    with pytest.raises(AnswerInvalid, match="go from 1 to"):
        await Auditor(model, 3_000).audit(document(MANUAL), MANUAL)


async def test_line_ends_of_windows_do_not_move_a_span() -> None:
    text = MANUAL.replace("\n", "\r\n")
    sops = (await Auditor(RulesLlm()).audit(document(text), text)).sops
    assert [sop.span.start for sop in sops] == [7, 13]


def manual(procedures: int, warnings: int = 1) -> str:
    shared = "".join(f"**WARNING:** Hot surface {number}.\n\n" for number in range(warnings))
    cards = "".join(f"## Start of pump P-{number}\n\n{STEPS}\n" for number in range(procedures))
    return f"# Plant procedures\n\nThese warnings apply to all procedures.\n\n{shared}{cards}"


async def test_all_procedures_of_a_document_refer_to_one_preamble_in_memory_and_on_disk() -> None:
    text = manual(20, warnings=50)
    sops = (await Auditor(RulesLlm()).audit(document(text), text)).sops
    assert len(sops) == 20
    assert len({id(sop.preamble_text) for sop in sops}) == 1
    audited = Audited(document="d", reason="", confidence=1, preamble_text=sops[0].preamble_text, sops=list(sops))
    written = audited.model_dump_json()
    assert written.count("Hot surface 49") == 1
    again = Audited.model_validate_json(written)
    assert again.sops == list(sops)
    assert len({id(sop.preamble_text) for sop in again.sops}) == 1


async def test_a_document_of_too_many_procedures_is_refused_with_both_numbers() -> None:
    text = manual(5)
    auditor = Auditor(RulesLlm(), most=SplitLimits(procedures=4))
    with pytest.raises(DocumentError, match=r"5 procedures; parsing\.max_procedures is 4"):
        await auditor.audit(document(text), text)


async def test_procedures_that_share_too_long_a_preamble_are_refused_with_both_numbers() -> None:
    text = manual(5, warnings=200)
    auditor = Auditor(RulesLlm(), most=SplitLimits(characters=20_000))
    with pytest.raises(DocumentError, match=r"The 5 procedures .* parsing\.max_cut_characters is 20,000"):
        await auditor.audit(document(text), text)


async def test_a_part_that_a_model_cuts_at_a_form_heading_goes_back_to_the_procedure_before_it() -> None:
    text = f"# Start of pump P-1\n\n## Purpose\n\nStart it.\n\n## Steps\n\n{STEPS}\n## Records\n\nNone.\n"
    answer = verdict(
        parts=[
            SopPart(title="Start of pump P-1", start=1, end=6),
            SopPart(title="Steps", start=7, end=12),
            SopPart(title="Records", start=13, end=15),
        ]
    )
    sops = (await Auditor(ScriptedLlm({"audit": answer}), 10_000).audit(document(text), text)).sops
    assert [(sop.title, sop.body) for sop in sops] == [("Start of pump P-1", text)]
