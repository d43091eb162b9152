"""What a model may say beside the steps: remarks that name nothing the SOP does not name, and that order nothing.

It is a net under the prompt, not a proof: what passes is still shown as a remark and never as a step.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from tools.flow.visible import one_line
from tools.retriever.source import Source
from tools.rules.branches import printed, sentences
from tools.rules.inline import plain
from tools.rules.lexicon import is_instruction, requires

_LONGEST = 300  # characters of one remark
_RUN = re.compile(r"[^\W_]+(?:[-_./:,][^\W_]+)*")
_JOINT = re.compile(r"[-_./:,]")
_DIGIT = re.compile(r"\d")
_LABEL = re.compile(r"^\W*(?:step\s+)?[\w.]{1,6}[.):]\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Grounds:
    """The SOP and the question that remarks are checked against."""

    source: Source
    title: str
    abstract: str
    question: str

    def hold(self, remark: str) -> str:
        """The remark on one line, or nothing when it gives an instruction or a number or name of its own."""
        if remark == self.abstract:
            return one_line(remark, _LONGEST)
        line = one_line(plain(remark))
        if not self._names(line) <= self._known or any(self._orders(part) for part in sentences(line)):
            return ""
        return one_line(line, _LONGEST)

    @cached_property
    def _known(self) -> set[str]:
        whole = {
            name for text in (self.source.body, self.title, self.abstract, self.question) for name in self._names(text)
        }
        return whole | {part for name in whole for part in _JOINT.split(name)}

    def _names(self, text: str) -> set[str]:
        """Its numbers, and its names with a number in them."""
        return {run.lower() for run in _RUN.findall(text) if _DIGIT.search(run)}

    def _orders(self, sentence: str) -> bool:
        if self.source.find(sentence):
            return False
        label = printed(sentence)
        bare = _LABEL.sub("", label.rest if label else sentence)
        return is_instruction(bare) or requires(bare)
