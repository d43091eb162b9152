"""What a question is about: its words without those that only make it a question."""

import re

_OPENING = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|tell me\s+|i (?:need|want) to know\s+)*"
    r"(?:how (?:do|does|did|can|could|should|would|is|are|was|were|to|much|many|often|long)|how|"
    r"what (?:is|are|was|were|does|do|did|causes?|happens)|what|which|why (?:is|are|do|does|did)|why|when|where|who|"
    r"whether|is|are|does|do|can|should|list|describe|explain|compare|show(?: me)?|find|give(?: me)?|define|"
    r"overview of|background)(?:\b|:)[:\s]*",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|i|we|you|one|there)\s+", re.IGNORECASE)
_KIND = re.compile(
    r"^(?:(?:\w+\s+){0,2}?(?:diagrams?|drawings?|schematics?|photos?|pictures?|images?|figures?|patents?|studies|papers?|"
    r"literature|articles?|research)\s+(?:of|on|about|for|showing|that)\s+)+",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")


def subject_of(question: str) -> str:
    """`How is nitric acid made at scale?` gives `nitric acid made at scale`."""
    words = _SPACES.sub(" ", question).strip(" ?!.,;:")
    for _ in range(3):
        shorter = _ARTICLE.sub("", _OPENING.sub("", words)).strip()
        if shorter == words or not shorter:
            break
        words = shorter
    return _ARTICLE.sub("", _KIND.sub("", words)).strip() or words
