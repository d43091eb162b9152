"""Grounding check for remarks of a model: no numbers or names that the SOP lacks, and no instructions.

Instructions are rejected even when quoted: an instruction injected by a document could appear as an explanation. The
check is heuristic; remarks that pass are still displayed as remarks, never as steps.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.lexicon import is_instruction, requires
from soprag.tools.procedure.printed_labels import printed
from soprag.tools.procedure.rendered_steps import letters_of
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import sentences

_LONGEST = 300  # characters of one remark
_RUN = re.compile(r"[^\W_]+(?:[-_./:,][^\W_]+)*")
_JOINT = re.compile(r"[-_./:,]")
_DIGIT = re.compile(r"\d")
_CLAUSE = re.compile(r"[:;]\s+")
_LABEL = re.compile(r"^\W*(?:step\s+)?[\w.]{1,6}[.):]\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Grounds:
    """The SOP and the question that remarks are checked against."""

    body: str
    title: str
    abstract: str
    question: str
    steps: str = ""  # the words of all steps

    def hold(self, remark: str) -> str:
        """The remark on one line; empty when it contains an instruction, or a number or name that the SOP lacks.

        The SOP's own abstract only loses sentences that also occur in the steps, where their warnings are shown.
        """
        statements = sentences(one_line(plain(remark)))
        harmless = [sentence for sentence in statements if not self._orders(sentence)]
        if remark == self.abstract:
            harmless = [sentence for sentence in harmless if letters_of(sentence) not in self._letters]
        elif len(harmless) < len(statements) or not self._names(remark) <= self._known:
            return ""
        return one_line(" ".join(harmless), _LONGEST)

    @cached_property
    def _known(self) -> set[str]:
        whole = {name for text in (self.body, self.title, self.abstract, self.question) for name in self._names(text)}
        return whole | {part for name in whole for part in _JOINT.split(name)}

    def _names(self, text: str) -> set[str]:
        """Its numbers, and its names with a number in them."""
        return {run.lower() for run in _RUN.findall(text) if _DIGIT.search(run)}

    def _orders(self, sentence: str) -> bool:
        label = printed(sentence)
        bare = _LABEL.sub("", label.rest if label else sentence)
        return requires(bare) or any(map(is_instruction, [bare, *_CLAUSE.split(bare)]))

    @cached_property
    def _letters(self) -> str:
        return letters_of(plain(self.steps))
