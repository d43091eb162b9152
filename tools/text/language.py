"""Language detection by py3langid, a model of character sequences that is part of its wheel."""

import re
from functools import cache
from typing import Any

LANGUAGES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "sk", "hu", "ro", "tr",
    "ja", "ko", "zh", "ru", "uk", "bg", "el", "ar", "he", "fa", "th", "hi",
)  # fmt: skip
_READ = 4000  # characters that are examined
_LIKELY = 0.5  # less is no evidence: "V-101 P-7 42" is Danish with 0.08
CERTAIN = 0.9
_WORD = re.compile(r"[^\W\d_]*(?:['’-]?[^\W\d_A-Z]+)+")  # letters of any script; no capital inside
_MARKS = ".,;:!?()\"'`*“”„«»。、！？"


def detect(text: str) -> str:
    """The ISO 639-1 code of the language of `text`, one of `LANGUAGES`; English when there is too little to tell."""
    return language_of(text) or "en"


def language_of(text: str, probability: float = _LIKELY) -> str | None:
    """The language of `text` when its probability is at least `probability`, else None."""
    language, confidence = _identifier().classify(text[:_READ])
    return str(language) if confidence >= probability else None


def same_language(text: str, language: str) -> bool:
    """Whether `text` may be in `language`: it is not certainly in another one of `LANGUAGES`."""
    return language not in LANGUAGES or language_of(text, CERTAIN) in (None, language)


def prose(text: str) -> str:
    """The words of `text` that belong to a language: without codes, commands and names such as `P-101`."""
    return " ".join(word for word in text.split() if _WORD.fullmatch(word.strip(_MARKS)))


def load() -> None:
    """Read the model from its file now, in place of at the first use: for a process whose event loop must not block."""
    _identifier()


@cache
def _identifier() -> Any:  # noqa: ANN401 - py3langid has no types
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier
