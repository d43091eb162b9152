"""A second opinion on sentences: code compares names and quantities, a model what the words mean.

The rules for polarity, order and words refuse true paraphrases and pass false ones; where a model is present its
verdict stands in their place. A missing name or quantity is exact and no model overrules it; a sentence that repeats
its lines needs no opinion.
"""

from collections.abc import Sequence

from soprag.tools.support.checker import Fault, SourceExcerpt, SupportVerdict, check
from soprag.tools.support.quotation import repeats
from soprag.tools.tasks.support import SUPPORT, CitedStatement, SupportAsk, SupportOpinion
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line

_EXACT = ("uncited", "name", "quantity")
_LONGEST = 200  # characters of a reason


async def judge(llm: Llm, question: str, sentences: Sequence[tuple[str, SourceExcerpt]]) -> tuple[SupportVerdict, ...]:
    """The verdict of every sentence, in one request for all that code leaves open; raises `ModelError`."""
    verdicts = [_by_rule(text, cited, question) for text, cited in sentences]
    statements = [
        CitedStatement(n=n, text=text, cited=cited.text, headings=cited.headings)
        for n, ((text, cited), verdict) in enumerate(zip(sentences, verdicts, strict=True), 1)
        if verdict.fault not in _EXACT and not repeats(text, cited.statements)
    ]
    if not statements:
        return tuple(verdicts)
    answer = await llm.ask(SUPPORT, SupportAsk(question=question, statements=statements))
    asked = {statement.n for statement in statements}
    for opinion in answer.opinions:
        if opinion.n in asked:
            verdicts[opinion.n - 1] = _verdict(opinion)
    return tuple(verdicts)


def _by_rule(text: str, cited: SourceExcerpt, question: str) -> SupportVerdict:
    return SupportVerdict() if repeats(text, cited.statements) else check(text, cited, question)


def _verdict(opinion: SupportOpinion) -> SupportVerdict:
    if opinion.verdict == "supported":
        return SupportVerdict()
    fault: Fault = "polarity" if opinion.verdict == "contradicted" else "words"
    return SupportVerdict(fault=fault, reason=one_line(opinion.differs, _LONGEST) or "the cited lines do not say it")
