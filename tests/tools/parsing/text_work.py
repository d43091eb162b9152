"""Functions that parser processes call in tests; they must be importable there."""

import time


def shout(text: str, marks: int) -> str:
    return text.upper() + "!" * marks


def hang(text: str) -> str:
    time.sleep(3600)
    return text


def swell(text: str) -> str:
    return str(len(text.encode() * 2**33))
