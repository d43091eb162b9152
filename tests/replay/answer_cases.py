"""Cases of answers, second opinions and bindings: questions to procedures of the library, sentences about them, and the
steps at which a run begins.
"""

import asyncio
from pathlib import Path

from soprag.benchmarks.quality.support import TRUE, measure_support, read_sentences
from soprag.tools.actions.policy import ToolsFile
from soprag.tools.actions.toolbox import builtin
from soprag.tools.flow.binder import ToolBinder
from soprag.tools.flow.bindings import BindingFolder
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.procedure.numbered_lines import number_lines
from soprag.tools.procedure.plan import plan
from soprag.tools.procedure.rendered_steps import show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.sop import digest
from soprag.tools.tasks.answer import AnswerAsk
from soprag.tools.tasks.flow import BindAsk
from soprag.tools.tasks.support import SupportAsk
from tests.tools.rules.reading import sop, views

ASKED = {
    "hold-fire-response": "May I open the hold door to check whether it is really burning?",
    "hall-restart-after-epo": "A breaker tripped while I was restoring path A. Do I close it again?",
    "glycol-concentration-test": "How often may the concentration be corrected in one day?",
}
SENTENCES = Path(__file__).parents[1] / "data" / "support_sentences_conditions.jsonl"
BOUND = ("hall-restart-after-epo", "glycol-concentration-test")
_FIRST = 10  # steps of a request at the beginning of a run


def answer_inputs(name: str, title: str, body: str) -> AnswerAsk:
    """The question to a procedure, as the answerer asks it."""
    steps = show(views(body, title).flow, SourceText(body))
    return AnswerAsk(question=ASKED[name], title=title, document=number_lines(body, steps, ASKED[name]))


def support_inputs(sources: Path) -> dict[str, SupportAsk]:
    """The requests for a second opinion on the sentences of `SENTENCES`, under names that their texts give."""
    nobody = ScriptedLlm({"support": {"opinions": []}})
    asyncio.run(measure_support(sources, read_sentences(SENTENCES), nobody))
    return {digest(ask.statements[0].text)[:8]: ask for _, ask in nobody.requests}


def true_sentences() -> set[str]:
    """The sentences of `SENTENCES` that their lines support."""
    return {sentence.text for sentence in read_sentences(SENTENCES) if sentence.kind == TRUE}


def bind_inputs(title: str, body: str) -> BindAsk:
    """The first steps of a procedure, as a run asks for their bindings."""
    planned = plan(sop(body, title), views(body, title).flow)
    binder = ToolBinder(ScriptedLlm(), BindingFolder(Path()), builtin(ToolsFile()))
    return binder.request(planned, planned.steps[:_FIRST])
