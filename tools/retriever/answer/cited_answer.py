"""The sentences of an answer, each checked for support by the lines it cites."""

from collections.abc import Sequence

from pydantic import Field

from soprag.tools.sop import Frozen, Sop
from soprag.tools.support.checker import SupportVerdict, check
from soprag.tools.support.excerpts import excerpt_of
from soprag.tools.support.quotation import quotation, repeats
from soprag.tools.support.second_opinion import judge
from soprag.tools.tasks.answer import AnswerDraft, SentenceWithLines
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line

_LONGEST = 400  # characters of one sentence
_QUOTED = 600  # characters of one quotation
_MOST = 6  # sentences


class AnswerSentence(Frozen):
    """A sentence of the answer with its lines, and what speaks against it."""

    text: str
    lines: tuple[int, ...] = ()
    verdict: SupportVerdict = SupportVerdict()
    quoted: bool = Field(default=False, description="the words of its lines, which code has copied")

    @property
    def withheld(self) -> bool:
        """Whether it is not shown, because its lines do not support it."""
        return not self.verdict.supported

    def shown(self) -> str:
        """The sentence with its lines, or a note that it is withheld, which repeats no word of it."""
        if self.withheld:
            return f"(A sentence of the model is withheld: {self.verdict.note}.)"
        return f"{self.text} [{_listed(self.lines)}]"


class AnswerText(Frozen):
    """The checked answer; empty when no model answered."""

    sentences: tuple[AnswerSentence, ...] = ()
    stated: bool = Field(default=True, description="the procedure says something about the question")

    @property
    def faults(self) -> list[str]:
        """The unsupported sentences with their reasons, as the model is told; mere lines are no sentence."""
        return [f"{s.text} -- {s.verdict.reason}" for s in self.sentences if s.text and not s.verdict.supported]


async def judged(llm: Llm, sop: Sop, question: str, draft: AnswerDraft) -> AnswerText:
    """Every sentence of the draft with its verdict; one that says what is not stated needs no line."""
    stated = draft.form != "not_stated"
    cited = _all_cited(sop, draft)
    needy = [sentence for sentence in cited if not sentence.quoted and (stated or sentence.lines)]
    excerpts = [(sentence.text, excerpt_of(sop.body, sentence.lines, sop.title)) for sentence in needy]
    verdicts = dict(zip(needy, await judge(llm, question, excerpts), strict=True))
    checked = [sentence.model_copy(update={"verdict": verdicts.get(sentence, sentence.verdict)}) for sentence in cited]
    return AnswerText(sentences=tuple(checked), stated=stated)


def quoted(sop: Sop, draft: AnswerDraft, checked: AnswerText) -> AnswerText:
    """What the cited lines say, in place of the model's own sentences.

    A sentence that says what is missing stays, and so does one that `checked` shows.
    """
    stated = draft.form != "not_stated"
    supported = [sentence for sentence in checked.sentences if not sentence.withheld]
    shown = [
        sentence if sentence in supported else _in_words_of_lines(sop, sentence, stated)
        for sentence in _all_cited(sop, draft)
    ]
    return AnswerText(sentences=tuple(shown), stated=stated)


def _in_words_of_lines(sop: Sop, sentence: AnswerSentence, stated: bool) -> AnswerSentence:
    cited = excerpt_of(sop.body, sentence.lines, sop.title)
    if sentence.lines and not repeats(sentence.text, cited.statements):
        return _cited(sop, SentenceWithLines(lines=list(sentence.lines)))
    return sentence if sentence.lines or not stated else sentence.model_copy(update={"verdict": check("", cited)})


def _all_cited(sop: Sop, draft: AnswerDraft) -> list[AnswerSentence]:
    """The sentences of the draft that say or cite something."""
    return [_cited(sop, said) for said in draft.answer[:_MOST] if one_line(said.text, _LONGEST) or said.lines]


def _cited(sop: Sop, sentence: SentenceWithLines) -> AnswerSentence:
    """The sentence with the lines that exist; one without a text is what they say, which must be something."""
    lines = tuple(dict.fromkeys(line for line in sentence.lines if 1 <= line <= sop.body.count("\n") + 1))
    text = one_line(sentence.text, _LONGEST)
    if text:
        return AnswerSentence(text=text, lines=lines)
    excerpt = excerpt_of(sop.body, lines, sop.title)
    verdict = SupportVerdict() if excerpt.statements else SupportVerdict(fault="uncited", reason="nothing is cited")
    return AnswerSentence(text=quotation(excerpt.statements, _QUOTED), lines=lines, verdict=verdict, quoted=True)


def _listed(lines: Sequence[int]) -> str:
    """`line 7`, `lines 7-9` or `lines 7, 12`; neighbours as a range."""
    runs: list[list[int]] = []
    for line in sorted(lines):
        if runs and runs[-1][-1] == line - 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    spans = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    if not spans:
        return "no line"
    return f"line {spans[0]}" if len(lines) == 1 else f"lines {', '.join(spans)}"
