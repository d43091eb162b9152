"""Which language a short text is in, by its script and its small words."""

import re

from soprag.tools.text.stems import words

_SMALL_WORDS = {
    "en": "the of to and a in is it that for on with as are this be at by what how do i my have when which should not",
    "de": "der die das und ist nicht ich ein eine einen zu den dem mit auf für was wie wenn im von muss soll des wird",
    "fr": "le la les et est un une des du de que je pas pour dans quand comment sur au avec il dois si ce qui ne",
    "es": "el la los las y es un una de que en no por para con cuando cómo como qué se del al debo si su lo está",
    "it": "il lo la gli le e è un una di che non per con quando come del della al devo se si sono nel",
    "pt": "o a os as e é um uma de que em não por para com quando como do da ao devo se no na está são",
    "nl": "de het een en is niet ik van te dat op voor met wat hoe als in bij aan moet zijn er wordt",
    "sv": "och är en ett att det som inte jag för på med vad hur när i av till om ska den de",
    "da": "og er en et at det som ikke jeg for på med hvad hvordan når i af til om skal den de",
    "pl": "i w na nie się jest z do co jak gdy po od że to dla czy są przy",
    "tr": "ve bir bu ne nasıl için ile değil mi da de olarak var ise",
    "cs": "a je na se v co jak když že do s pro není po od jsou při",
    "fi": "ja on ei se että mitä miten kun tai ovat jos mutta",
}
_HINTS = {language: frozenset(text.split()) for language, text in _SMALL_WORDS.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_SAME_SCRIPT = {"uk": "ru", "bg": "ru", "sr": "ru", "be": "ru", "mk": "ru", "fa": "ar", "ur": "ar"}


def small_words(language: str) -> frozenset[str]:
    """The most frequent words of a language; none for a language that is not known here."""
    return _HINTS.get(language, frozenset())


def language_of(text: str) -> str | None:
    """The ISO 639-1 code of the language `text` is most likely in; None when nothing speaks for one of them."""
    letters = sum(character.isalpha() for character in text)
    for language, script in _SCRIPTS:
        if letters and len(script.findall(text)) > letters / 4:
            return language
    tokens = words(text)
    counts = {language: sum(word in hints for word in tokens) for language, hints in _HINTS.items()}
    best, second = sorted(counts.values(), reverse=True)[:2]
    if best < 2 or best == second:
        return None
    return max(counts, key=lambda language: counts[language])


def same_language(text: str, language: str) -> bool:
    """Whether `text` may be in `language`: nothing in it speaks for another one."""
    detected = language_of(text)
    expected = _SAME_SCRIPT.get(language, language)
    written = {name for name, _ in _SCRIPTS}
    if detected is None:
        return expected not in written or text.isascii() is False or len(words(text)) < 4
    return detected == expected or (expected not in written and expected not in _HINTS and detected not in written)
