"""Search phrases as people type them: what is the matter with which thing, or which thing is to be done, without
articles and auxiliaries."""

import re
from collections.abc import Iterator, Sequence

from soprag.tools.procedure.wording.lexicon import IMPERATIVES, words
from soprag.tools.rules.questions.actions import Instruction
from soprag.tools.rules.questions.candidates import briefly, tasks
from soprag.tools.rules.questions.found import as_found
from soprag.tools.rules.questions.heads import clause_parts
from soprag.tools.rules.questions.material import QuestionMaterial, is_odd
from soprag.tools.text.terms import terms

_FEWEST, _MOST = 3, 7  # words of a phrase
_NAMED = 2  # words of the title that name its thing
_WEIGHTIEST = 4  # steps that a phrase is made of
_LEFT_OUT = words(
    "the a an my our its their some is are was were am be been being has have had does do did i it they itself that "
    "already still also there fully completely consistently currently now any all"
)
_ADVERB = re.compile(r"\w{3,}ly")
_UNABLE = re.compile(r"\b(?:(?:is|are|am) (?:unable|not able) to|(?:has|have) (?:\w+ly )?failed to|fails? to)\b")
_WITHOUT = re.compile(r"\b(?:do|does) not have (?:any |an? )?")
_NOT = re.compile(r" ?(?<=[a-z])n['’]t\b")
_OR = re.compile(r" or [\w-]+(?= \w)")
_OTHER = re.compile(r",? (?:or|and|but|because|which|who|so|more than|less than) .*$|,.*$")
_QUALITY = re.compile(
    r"(?:is|are|has become|have become|becomes?|remains?) (?:still |completely )?(?P<word>[a-z][\w-]+)$"
)
_DETERMINERS = ("the ", "a ", "an ", "my ", "all ")
_DETAIL = re.compile(
    r"(?<!number)(?<!percentage)(?<!list)(?<!rate)(?<!lack) "
    r"(?:with|for|in|on|at|by|of|from|to|during|after|before|within|when|if) .*$"
)


def telegrams(material: QuestionMaterial, title: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Phrases on the states of trouble, on the things of steps and on steps, each with its rank.

    `title` are the content words of the title.
    """
    name = " ".join(name_in(title))
    states = [as_found(state.text, odd=True) for state in briefly(material.states) if state.odd]
    steps = tasks(material)[:_WEIGHTIEST]
    troubles = [phrase for state in filter(None, states) for phrase in _of_trouble(state, name)]
    things = [phrase for step in steps for phrase in _of_thing(step, name)]
    for rank, phrases in enumerate((troubles, things, [_of_step(step, name) for step in steps])):
        for phrase in phrases:
            if "%" not in phrase and _FEWEST <= len(phrase.split()) <= _MOST and len(set(terms(phrase))) >= _FEWEST:
                yield phrase, rank


def _of_thing(step: Instruction, name: str) -> Iterator[str]:
    """The thing of a step beside the name of the title, as in "telescope mount brakes"."""
    thing = _typed(_DETAIL.sub("", _OTHER.sub("", step.rest)))
    if step.rest.startswith(_DETERMINERS) and not set(terms(thing)) & set(terms(name)):
        yield f"{name} {thing}"
        yield f"{thing} {name}"


def _of_trouble(clause: str, name: str) -> Iterator[str]:
    """A state with the name of the title before or after it, and with what is the matter before its thing."""
    parts, short = clause_parts(clause), _telegram(clause)
    yield _named(short, name)
    yield _named(short, name, after=True)
    if parts is None:
        return
    yield f"{name} {_telegram(parts.predicate)}"
    if quality := _QUALITY.match(parts.predicate):
        yield _named(f"{quality['word']} {_typed(parts.thing)}", name, after=True)


def _of_step(step: Instruction, name: str) -> str:
    """A step with the name of the title before its object, as in "restart metrics collector pod"."""
    thing = _typed(_DETAIL.sub("", _OTHER.sub("", step.rest)))
    if set(terms(thing)) & set(terms(name)) or not step.rest.startswith(_DETERMINERS):
        return _named(_telegram(step.infinitive), name)
    return f"{step.verbs[0]} {name} {thing}"


def _telegram(text: str) -> str:
    """`text` without what nobody types, and without its details where it is too long."""
    text = _OR.sub("", text)
    text = _OTHER.sub("", _NOT.sub(" not", _WITHOUT.sub("no ", _UNABLE.sub("cannot", text))))
    typed = _typed(text)
    return typed if len(typed.split()) <= _MOST else _typed(_DETAIL.sub("", text))


def _typed(text: str) -> str:
    said = text.replace("cannot be ", "not ").split()
    return " ".join(word for word in said if word.lower() not in _LEFT_OUT and not _ADVERB.fullmatch(word))


def _named(phrase: str, name: str, *, after: bool = False) -> str:
    """The phrase beside the name of the title, where it has none of its words."""
    if set(terms(phrase)) & set(terms(name)):
        return phrase
    return (f"{phrase} {name}" if after else f"{name} {phrase}").strip()


def name_in(title: Sequence[str]) -> list[str]:
    """The first words of a title that name its thing."""
    named: list[str] = []
    for word in title:
        if is_thing_word(word) and len(named) < _NAMED:
            named.append(word)
        elif named:
            break
    return named


def is_thing_word(word: str) -> bool:
    """Whether a word of a title names a thing: neither what is done, nor what is wrong, nor a quality."""
    return not (is_odd(word) or word.lower() in IMPERATIVES or word.endswith(("ing", "ed", "able", "ible")))
