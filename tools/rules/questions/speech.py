"""Converts printed sentences to spoken ones: markup and asides removed, first person, identifying names hidden."""

import re

from soprag.tools.markdown.inline import plain
from soprag.tools.rules.questions.speakable import UNSPEAKABLE
from soprag.tools.text.codes import alarm_codes, title_names

_CODE = re.compile(r"(`{1,3})(?P<code>[^`]+)\1")
_SAYABLE = re.compile(r"[A-Z]?[a-z]{2,14}|[A-Z]{2,10}|\d{1,4}%?")
_THING = (
    r"alerts?|alarms?|pods?|containers?|namespaces?|deployments?|services?|labels?|parameters?|options?|fields?|flags?|"
    r"metrics?|commands?|scripts?|files?|director(?:y|ies)|folders?|buttons?|tabs?|menus?|windows?|screens?|keys?|values?|"
    r"settings?|configurations?|resources?|operators?|rules?|components?|nodes?|hosts?|servers?|machines?|accounts?|"
    r"channels?|states?|status|modes?|utilit(?:y|ies)|tools?|pages?|sections?|columns?|variables?|objects?|users?|groups?|"
    r"queues?|jobs?|volumes?|clusters?|instances?|daemons?|process(?:es)?|controllers?|secrets?|routes?|collections?"
)
_NAMED = re.compile(rf"{UNSPEAKABLE}(?:(?:,| and| or|, and|, or) {UNSPEAKABLE})*(?= (?:{_THING})\b)")
_AFTER = re.compile(rf"\b(?P<noun>{_THING})(?:,? (?:called|named))? {UNSPEAKABLE}")
_ASIDE = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)|\s*\[\d+\]|\s*\[[^\]]*\](?!\()")
_BEFORE_ME = (
    r"for|to|with|by|from|at|near|behind|gives?|shows?|tells?|allows?|lets?|asks?|helps?|answers?|sends?|reminds?|alerts?|"
    r"informs?|notif(?:y|ies)|contacts?|calls?|warns?|enables?|prevents?|reach(?:es)?"
)
_YOU = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\byou are\b", "I am"),
        (r"\byou're\b", "I'm"),
        (r"\byou were\b", "I was"),
        (r"\byou(?=['’](?:ve|ll|d)\b)", "I"),
        (r"\byourself\b", "myself"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (rf"\b({_BEFORE_ME}) you\b", r"\1 me"),
        (r"\byou(?=[.,;!?]|$)", "me"),
        (r"\byou\b", "I"),
    )
)
_THIS = re.compile(r"\b(?:this|these) (?=[a-z])", re.IGNORECASE)
_HEAD = r"(?P<head>(?:[a-z]+[- ]){0,2}[a-z]{3,})"
_NOT_A_HEAD = re.compile(
    r"\b(?:the|a|an|of|for|to|on|in|at|by|with|and|or|that|if|when|is|are|set|open|close|press|use|see|from|check|"
    r"only|after|before|called|named|as|into|than|until|not|no|both|each|every|between|per|under|over)\b"
)


def spoken(source: str) -> str:
    """Markdown as plain words, with code replaced by `UNSPEAKABLE` unless it is a word or stands by a noun."""
    text = plain(_CODE.sub(lambda code: code["code"] if _SAYABLE.fullmatch(code["code"]) else UNSPEAKABLE, source))
    text = _AFTER.sub(r"\g<noun>", _NAMED.sub("", text))
    text = _ASIDE.sub("", text)
    return re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r"\s+", " ", text)).strip()


def first_person(text: str) -> str:
    """`text` changed from second to first person; "this alert" becomes "the alert"."""
    for you, me in _YOU:
        text = you.sub(me, text)
    return _THIS.sub("the ", text)


class Naming:
    """Removes names that would identify the SOP: "air handling unit AHU-1" becomes "air handling unit"."""

    def __init__(self, title: str, body: str, english: bool = True) -> None:
        names = title_names(title) | alarm_codes(body)
        self._names = sorted(names, key=len, reverse=True)
        self._heads = {name: _head(name, f"{title}\n{body}") if english else "" for name in self._names}

    def hide(self, text: str) -> str:
        """`text` with each of the names dropped after or before its noun, or replaced by that noun."""
        for name in self._names:
            if name.casefold() in text.casefold():
                text = self._without(text, name)
        return re.sub(r"\s+", " ", text).strip()

    def _without(self, text: str, name: str) -> str:
        word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        head = self._heads[name]
        last = head.split()[-1] if head else ""
        if last:
            text = re.sub(rf"\b({re.escape(last)}s?) {word}", r"\1", text, flags=re.IGNORECASE)
        text = re.sub(rf"\b(the|an|a|this) {word} (?=(?:{_THING})\b)", "the ", text, flags=re.IGNORECASE)
        noun_phrase = f"the {head}" if head else UNSPEAKABLE
        text = re.sub(rf"\b(?:the|an|a) {word}", noun_phrase, text, flags=re.IGNORECASE)
        return re.sub(word, noun_phrase, text, flags=re.IGNORECASE)


def _head(name: str, text: str) -> str:
    """The noun a name is introduced by, as in "air handling unit AHU-1"; empty when there is none."""
    for match in re.finditer(rf"\b{_HEAD} \(?{re.escape(name)}(?![\w-])", text):
        head = _NOT_A_HEAD.split(match["head"])[-1].strip(" -")
        if len(head) > 3:
            return head
    return ""
