"""Tells the content of a page from its furniture and from text that is addressed to a language model."""

import re

# Prompt injection: text addressed to a language model; such lines are dropped.
_TO_MACHINES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous)\b|"
    r"\b(?:system prompt|language model|you are (?:now )?an? (?:ai|assistant)|as an ai|jailbreak|chatgpt)\b",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"\b(?:cookies?|privacy policy|terms of (?:use|service)|all rights reserved|sign (?:in|up) (?:for|to)|subscribe|"
    r"newsletter|add to cart|share (?:this|on)|click here|read more|skip to)\b",
    re.IGNORECASE,
)


def addresses_machine(text: str) -> bool:
    """Whether the text gives orders to a language model."""
    return bool(_TO_MACHINES.search(text))


def is_furniture(text: str) -> bool:
    """Whether the text belongs to the page around its content: cookies, newsletters, sign-in."""
    return bool(_FURNITURE.search(text))
