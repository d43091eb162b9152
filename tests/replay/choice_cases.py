"""Cases of choosing among candidates, of programs, of judging a report, and of lines that an extraction overlooked."""

import asyncio
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.math import laws
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.proposal import Proposal
from soprag.tools.retriever.query.sheets import SheetWriter
from soprag.tools.tasks.calculate import CodeAsk
from soprag.tools.tasks.choice import ChooseAsk
from soprag.tools.tasks.deepsearch import AnsweredSubtask, CitedSentence, JudgeAsk
from soprag.tools.tasks.retriever import OverlookedAsk
from tests.tools.rules.reading import sop, views

CANDIDATES = ("hold-fire-response", "refuelling-supervision", "gpu-connection-diesel", "gpu-connection-electric",
              "hot-aisle-temperature-alarm", "rack-manifold-isolation", "coolant-fill-and-bleed",
              "cold-plate-quick-disconnect", "glycol-concentration-test", "pdu-thermography")  # fmt: skip
# The question, and the candidates of which the first should be the answer; none where the library has no procedure.
CHOSEN: Mapping[str, tuple[str, frozenset[str]]] = {
    "smoke": ("There is smoke coming out of the belly of the aircraft while we load bags", frozenset({CANDIDATES[0]})),
    "plug": ("how do I plug in the battery cart at the gate", frozenset({"gpu-connection-electric"})),
    "noise": ("the loop gurgles and the plates have hot spots since we refilled it", frozenset({CANDIDATES[6]})),
    "drip": ("node coupling drips after I pulled a server", frozenset({"cold-plate-quick-disconnect"})),
    "weak": ("is the antifreeze strong enough before winter", frozenset({"glycol-concentration-test"})),
    "printer": ("the label printer at dock 2 is out of paper", frozenset()),
}
WRITTEN = ("sum", "blend", "fill", "velocity")
OVERLOOKED = ("glycol-concentration-test", "crac-type-b-filter", "hold-fire-response")
_FALSE = "Servers are switched on again as soon as the tray is empty."
JUDGED: Mapping[str, tuple[str, ...]] = {"leak": (), "leak-wrong": (_FALSE,)}


def choose_inputs(name: str, procedure: Callable[[str], tuple[str, str]]) -> ChooseAsk:
    """A question with the sheets of all candidates, as the retriever writes them without token vectors."""
    question = CHOSEN[name][0]
    contents: list[Any] = []
    for candidate in CANDIDATES:
        title, body = procedure(candidate)
        content = SimpleNamespace(sop=sop(body, title), views=views(body, title))
        contents.append(SimpleNamespace(content=content, tokens=None))
    asked: Any = SimpleNamespace(text=question)
    return ChooseAsk(question=question, candidates=SheetWriter(asked, contents).write())


def code_inputs(task: str) -> CodeAsk:
    """A sub-task with the laws that may fit, for a sandbox without tools."""
    return CodeAsk(task=task, libraries="math", laws=laws.describe(task))


def judge_inputs(name: str, question: str, facts: list[dict[str, Any]]) -> JudgeAsk:
    """A report of one sentence for each fact, and of what `JUDGED` adds, which cites the last fact."""
    texts = [str(fact["text"]) for fact in facts]
    stated = [CitedSentence(text=text, quotes=[text]) for text in texts]
    added = [CitedSentence(text=text, quotes=texts[-1:]) for text in JUDGED[name]]
    sentences = [*stated, *added]
    report = " ".join(sentence.text for sentence in sentences)
    return JudgeAsk(
        question=question,
        subtasks=[AnsweredSubtask(query=question, status="done")],
        report=report,
        sentences=sentences,
    )


def overlooked_inputs(title: str, body: str) -> OverlookedAsk:
    """What is asked back when an answer leaves out the last two proposed steps and all warnings."""
    steps = Proposal.of(read_procedure(body)).steps[:-2]
    drafts = [{"id": f"s{line}", "kind": "action", "start": line, "end": line} for line in steps]
    answer = {"abstract": title, "entity": {"entities": []}, "causal": {"states": []}, "flow": {"steps": drafts}}
    model = ScriptedLlm({"extract": answer, "overlooked": {}})
    asyncio.run(Extractor(model).examine(sop(body, title)))
    return next(ask for task, ask in model.requests if task == "overlooked")
