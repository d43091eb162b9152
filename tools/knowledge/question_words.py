"""What the words of a question are for: those about documents, those that ask for a relation, and its phrases.

Phrases are the runs of content words; they are embedded and compared with the names of the graph, so that a question
for `low coolant flow` begins at the name `Secondary Flow Low`.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from soprag.tools.text.stop_words import SMALL, STOP
from soprag.tools.text.terms import terms

_PLURAL = re.compile(r"\bSOPs?\b")  # not the identifier SO of ps
_WORD = re.compile(r"[^\W_]+(?:[-/.'’][^\W_]+)*|[^\s\w]")
_LONGEST_PHRASE = 8  # words
_MOST = 6  # phrases
# Words of questions about documents that say nothing about their content.
_FRAME_WORDS = """
which what who when where why how procedure procedures sop sops step steps document documents card cards touch
touches mention mentions name names describe describes answer answers apply applies say says tell list give
find show stated state many much does done need needs happen happens kind type called related connect
connected connection know known use used
"""
_FRAME = frozenset(terms(_FRAME_WORDS, frozenset()))
# The words by which a question asks for a relation of the graph, beside those of the relation itself.
_ASKED_BY = {
    "causes": "cause reason lead leads result results follow follows consequence effect",
    "mitigates": "fix remedy solve resolve clear",
    "indicates": "alarm code mean means",
    "is located": "location",
    "stands for": "mean means abbreviation",
}
_RELATION_WORDS = frozenset(f"{' '.join(_ASKED_BY.values())} causes caused".split())


def content_terms(question: str) -> list[str]:
    """The terms of a question that say what it is about."""
    return [term for term in terms(_PLURAL.sub("sop", question), SMALL) if term not in _FRAME]


def is_frame(name: str) -> bool:
    """Whether a name says nothing about the content of documents, such as `SOPs`."""
    return not content_terms(name)


def asked_by(relations: Iterable[str]) -> str:
    """These relations with all words by which a question asks for them."""
    return " ".join(chain.from_iterable((relation, _ASKED_BY.get(relation, "")) for relation in relations))


def phrases(question: str) -> list[str]:
    """The runs of at least two content words, each once, at most six."""
    return list(dict.fromkeys(run for run in _runs(question) if " " in run))[:_MOST]


def _runs(question: str) -> Iterator[str]:
    run: list[str] = []
    for word in _WORD.findall(question):
        folded = word.casefold()
        breaks = folded in STOP or folded in _RELATION_WORDS or not word[0].isalnum() or is_frame(word)
        if breaks or len(run) == _LONGEST_PHRASE:
            yield " ".join(run)
            run = []
        if not breaks:
            run.append(word)
    yield " ".join(run)
