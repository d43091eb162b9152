"""Numbers as texts write them: signs, grouped thousands, decimals, fractions, powers of ten and words of magnitude."""

import re

_SPACE = "[ \u00a0\u2009\u202f]"
_DIGITS = (
    rf"(?:[1-9]\d{{0,2}}(?:(?:,\d{{3}})+(?:\.\d+)?|(?:\.\d{{3}})+,\d+|(?:{_SPACE}\d{{3}})+(?:[.,]\d+)?)(?!\d)|"
    r"\d+(?:[.,]\d+)?|\.\d+)"
)
_SIGN = r"(?:[-−+]|(?<!\d)(?<!\d\s)–)"
_TEN = r"10(?:\s?\^\s?[{(]?[-−+]?\d+[)}]?|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_POWER = rf"(?:\s?(?:[x×·⋅*]|\\times)\s?(?:{_TEN}|10[-−]\d+)|[eE][-−+]?\d+(?!\w*[-/]))"
_MAGNITUDES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_RAISED = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹−", "-+0123456789-")

FRACTION = r"(?:\d+\s)?\d{1,2}/(?:2|4|8|16|32|64)(?![\d/])"
DECIMAL = rf"(?>{_TEN}|{_DIGITS}(?:{_POWER}|\s(?:{'|'.join(_MAGNITUDES)})\b)?)"
NUMERAL = rf"{_SIGN}?(?>\d*[½¼¾]|{DECIMAL})"


def value_of(numeral: str) -> float:
    """The value of a number as `NUMERAL` or `FRACTION` matches it.

    A comma or a blank before three digits groups thousands, else a comma is the decimal point.
    """
    text = re.sub(r"^([-−–+])\s*", lambda m: "" if m[1] == "+" else "-", numeral.strip())
    sign = -1.0 if text.startswith("-") else 1.0
    return sign * _unsigned(text.removeprefix("-"))


def _unsigned(text: str) -> float:
    if text[-1] in _PARTS:
        return float(text[:-1] or 0) + _PARTS[text[-1]]
    if "/" in text:
        whole, _, part = text.rpartition(" ")
        above, below = part.split("/")
        return float(whole or 0) + float(above) / float(below)
    magnitude = next((name for name in _MAGNITUDES if text.lower().endswith(name)), "")
    if magnitude:
        return _unsigned(text[: -len(magnitude)].strip()) * _MAGNITUDES[magnitude]
    return _scientific(text)


def _scientific(text: str) -> float:
    power = re.fullmatch(rf"(?P<factor>{_DIGITS})?\s?(?:(?:[x×·⋅*]|\\times)\s?)?(?P<ten>{_TEN}|10[-−]\d+)", text)
    if power and (power["factor"] is None or re.search(r"[x×·⋅*]|\\times", text)):
        exponent = re.sub(r"[\s^{}()]", "", power["ten"].translate(_RAISED)[2:])
        return float(f"{_decimal(power['factor'] or '1')}e{exponent}")
    factor, _, exponent = text.replace("−", "-").lower().partition("e")
    return float(f"{_decimal(factor)}e{exponent or 0}")


def _decimal(digits: str) -> str:
    """Digits with their decimal point and without the marks that group thousands."""
    bare = re.sub(_SPACE, "", digits)
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+", bare):
        return bare.replace(".", "").replace(",", ".")
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", bare):
        return bare.replace(",", "")
    return bare.replace(",", ".")
