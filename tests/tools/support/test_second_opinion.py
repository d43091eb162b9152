"""A model's opinion stands where code can only guess, and nowhere else."""

from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.support.checker import SourceExcerpt
from soprag.tools.support.second_opinion import judge

CITED = SourceExcerpt("Trays with a red label stay where they are.")
PARAPHRASE = "Trays with a red label are not moved."
OPPOSITE = "Trays with a red label may be taken out."


def thinks(*verdicts: tuple[int, str]) -> ScriptedLlm:
    return ScriptedLlm({"support": {"opinions": [{"n": n, "verdict": verdict} for n, verdict in verdicts]}})


async def test_all_open_sentences_are_one_request_and_each_gets_its_own_verdict() -> None:
    model = thinks((2, "contradicted"), (1, "supported"))
    first, second = await judge(model, "q", [(PARAPHRASE, CITED), (OPPOSITE, CITED)])
    assert first.supported
    assert second.fault == "polarity"
    assert len(model.requests) == 1


async def test_a_missing_quantity_or_line_is_not_asked_about_and_cannot_be_overruled() -> None:
    model = thinks((1, "supported"), (2, "supported"), (3, "supported"))
    verdicts = await judge(
        model, "q", [("Trays wait 5 min.", CITED), ("It runs.", SourceExcerpt("")), (PARAPHRASE, CITED)]
    )
    assert [verdict.fault for verdict in verdicts] == ["quantity", "uncited", ""]
    (_, ask), *_ = model.requests
    assert [statement.n for statement in ask.statements] == [3]


async def test_where_an_opinion_is_missing_the_rules_decide() -> None:
    dark = "Panel and fan form a subsystem."
    assert [v.fault for v in await judge(thinks(), "q", [(dark, CITED)])] == ["words"]
    assert [v.fault for v in await judge(RulesLlm(), "q", [(dark, CITED)])] == ["words"]
