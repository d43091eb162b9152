"""What of a recorded answer survives the filters behind its task, and what does not, with the reason."""

import ast
import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from soprag.agents.auditor import Auditor
from soprag.agents.experts import code, flow, math, retrieval, search
from soprag.agents.meta import Meta, NextAction, plain_arguments
from soprag.tools.history import StepFailure
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.math import conversion, laws, properties
from soprag.tools.questions.checks import text_fault
from soprag.tools.retriever.answer.cited_answer import judged
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Document, Provenance, Sop, Span
from soprag.tools.support.checker import SourceExcerpt, check
from soprag.tools.tasks.troubleshoot import FINISH
from tests.replay.answer_cases import true_sentences
from tests.replay.cases import ReplayCase, procedure, source
from tests.replay.choice_cases import CANDIDATES, CHOSEN, JUDGED
from tests.replay.knowledge_cases import stated_facts

Outcome = Iterator[tuple[str, str]]  # what it is, and why it is lost (empty: it survives)


def outcomes(case: ReplayCase, answer: Any) -> list[tuple[str, str]]:
    """The parts of an answer; tasks without a filter keep the whole answer."""
    check = _CHECKS.get(case.task.name)
    return list(check(case, answer)) if check else [("answer", "")]


def _audit(case: ReplayCase, answer: Any) -> Outcome:
    """The parts, against what the front matter of the source says."""
    name = case.id.partition("/")[2]
    text = source(name)
    document = Document(
        id="d" * 12, name=name, suffix=".md", size=1, provenance=Provenance(origin="folder", location=name)
    )
    audit = asyncio.run(Auditor(ScriptedLlm({"audit": answer}), 60_000).audit(document, text))
    kind, count = _truth(name)
    yield "verdict", "" if audit.verdict.is_sop == (kind == "sop") else f"the source is {kind}"
    if kind == "sop":
        right = len(audit.sops) == count
        yield "parts", "" if right else f"{name} has {count} procedures, not {len(audit.sops)}"


def _truth(name: str) -> tuple[str, int]:
    import tomllib

    from tests.replay.cases import SOURCES

    front = next(SOURCES.glob(f"*/{name}.md")).read_text(encoding="utf-8").split("+++\n")[1]
    facts = tomllib.loads(front)
    return str(facts["kind"]), len(facts.get("sops", ()))


def _knowledge(case: ReplayCase, answer: Any) -> Outcome:
    yield from stated_facts(procedure(case.id.partition("/")[2])[1], answer.triples)


def _questions(case: ReplayCase, answer: Any) -> Outcome:
    title, body = procedure(case.id.partition("/")[2])
    sop = Sop(id="s", title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))
    for question in answer.questions:
        yield question.level, text_fault(question, sop)


def _plan(case: ReplayCase, answer: Any) -> Outcome:
    if answer.tool == FINISH:
        yield FINISH, ""
        return
    protocols = (retrieval.PROTOCOL, flow.PROTOCOL, math.PROTOCOL, code.PROTOCOL, search.PROTOCOL)
    action = NextAction(step="s9", tool=answer.tool, task=answer.step, arguments=plain_arguments(answer.arguments))
    checked = Meta(ScriptedLlm(), protocols).check(action, [])
    yield answer.tool, checked.message if isinstance(checked, StepFailure) else ""


def _math(case: ReplayCase, answer: Any) -> Outcome:
    """The call is run where it needs no sandbox."""
    tools = {tool.protocol.name: tool for tool in (*conversion.TOOLS, *laws.TOOLS, *properties.TOOLS)}
    if answer.call is None or answer.call.tool not in tools:
        yield answer.call.tool if answer.call else "none", ""
        return
    computed = asyncio.run(tools[answer.call.tool].run(answer.call))
    yield answer.call.tool, computed.message if isinstance(computed, StepFailure) else ""


def _summary(case: ReplayCase, answer: Any) -> Outcome:
    lines = {line.id: line for line in case.inputs.lines}  # type: ignore[attr-defined]
    for claim in answer.claims:
        cited = [f"{lines[id].heading} {lines[id].text}" for id in claim.lines if id in lines]
        yield "claim", _fault(claim.text, cited, case.inputs.query)  # type: ignore[attr-defined]


def _report(case: ReplayCase, answer: Any) -> Outcome:
    facts = {fact.id: fact.text for fact in case.inputs.facts}  # type: ignore[attr-defined]
    for sentence in [*answer.summary, *(one for section in answer.sections for one in section.sentences)]:
        cited = [facts[id] for id in sentence.facts if id in facts]
        yield "sentence", _fault(sentence.text, cited, case.inputs.question)  # type: ignore[attr-defined]


def _restated(case: ReplayCase, answer: Any) -> Outcome:
    refused = {statement.id: statement for statement in case.inputs.statements}  # type: ignore[attr-defined]
    for statement in answer.statements:
        if statement.text:
            cited = refused[statement.id].cited
            yield "statement", _fault(statement.text, cited, case.inputs.question)  # type: ignore[attr-defined]


def _extracted(case: ReplayCase, answer: Any) -> Outcome:
    """The parts that the source supports, and those that the code's own reading puts back."""
    title, body = procedure(case.id.partition("/")[2])
    sop = Sop(id="s", title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))
    extracted = asyncio.run(Extractor(ScriptedLlm({"extract": answer}, RulesLlm())).examine(sop))
    views = extracted.views
    for kind, parts in (("entity", views.entity.entities), ("state", views.causal.states), ("step", views.flow.steps)):
        yield from ((kind, "") for _ in parts)
    for name, count in vars(extracted.losses).items():
        yield from ((name, f"{name} dropped or restored") for _ in range(count))


def _fault(sentence: str, cited: list[str], question: str) -> str:
    return check(sentence, SourceExcerpt("\n\n".join(cited)), question).reason


def _answered(case: ReplayCase, answer: Any) -> Outcome:
    """The sentences, against the lines that they cite."""
    title, body = procedure(case.id.partition("/")[2])
    sop = Sop(id="s", title=title, text=body, document="d", span=Span(start=1, end=body.count("\n") + 1))
    checked = asyncio.run(judged(RulesLlm(), sop, case.inputs.question, answer))  # type: ignore[attr-defined]
    yield from (("sentence", "") for _ in range(len(answer.answer) - len(checked.faults)))
    yield from (("sentence", fault) for fault in checked.faults)


def _opinions(case: ReplayCase, answer: Any) -> Outcome:
    """The verdicts that are right, by what is known about the sentences."""
    right = true_sentences()
    supported = {opinion.n for opinion in answer.opinions if opinion.verdict == "supported"}
    for statement in case.inputs.statements:  # type: ignore[attr-defined]
        shown = statement.n in supported
        yield "opinion", "" if shown == (statement.text in right) else f"shown: {shown}: {statement.text}"


def _bound(case: ReplayCase, answer: Any) -> Outcome:
    """The duties, against the tools and steps that were offered."""
    tools = {tool.name for tool in case.inputs.tools}  # type: ignore[attr-defined]
    nodes = {step.node for step in case.inputs.steps}  # type: ignore[attr-defined]
    for duty in answer.duties:
        known = duty.node in nodes and (duty.kind != "tool" or duty.tool in tools)
        yield duty.kind, "" if known else f"{duty.node} {duty.tool} was not offered"


def _chosen(case: ReplayCase, answer: Any) -> Outcome:
    right = CHOSEN[case.id.partition("/")[2]][1]
    first = {CANDIDATES[number - 1] for number in answer.fits[:1] if 0 < number <= len(CANDIDATES)}
    yield "choice", "" if first == right else f"chosen: {sorted(first)}"


def _written(case: ReplayCase, answer: Any) -> Outcome:
    """Whether it is a program that leaves an answer."""
    assigned = {node.id for node in ast.walk(ast.parse(answer.code)) if isinstance(node, ast.Name)}
    yield "program", "" if "answer" in assigned else "it leaves no answer"


def _judged(case: ReplayCase, answer: Any) -> Outcome:
    """Whether a report with a sentence that contradicts its quote is marked down."""
    wrong = bool(JUDGED[case.id.partition("/")[2]])
    yield "marks", "" if (answer.correctness < 4) == wrong else f"correctness {answer.correctness}"


def _overlooked(case: ReplayCase, answer: Any) -> Outcome:
    """Each line in question, which must begin a step or a warning or be struck."""
    said = {draft.start for draft in (*answer.steps, *answer.warnings)} | set(answer.struck)
    for line in (*case.inputs.proposed_steps, *case.inputs.proposed_warnings):  # type: ignore[attr-defined]
        yield "line", "" if line in said else f"line {line} is not said"


_CHECKS: dict[str, Callable[[ReplayCase, Any], Outcome]] = {
    "answer": _answered,
    "audit": _audit,
    "bind": _bound,
    "choose": _chosen,
    "code": _written,
    "judge_report": _judged,
    "overlooked": _overlooked,
    "extract": _extracted,
    "questions": _questions,
    "plan": _plan,
    "math": _math,
    "summarise_lines": _summary,
    "support": _opinions,
    "write_report": _report,
    "restate": _restated,
    "knowledge": _knowledge,
    "chunk_relations": _knowledge,
}
