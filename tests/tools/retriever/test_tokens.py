"""Token vectors as bytes: with two bits whole pieces, with one bit words without what they share with their passage."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from soprag.tools.embedding import Tokens, Vectors
from soprag.tools.retriever.index import codes
from soprag.tools.retriever.index.elements import Element
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.index.tokens import pack, unpack
from soprag.tools.retriever.query.late_interaction import _cosines

DIMENSION, WORDS = 384, 60
RNG = np.random.default_rng(5)


def unit(rows: Vectors) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def related() -> tuple[Element, Tokens]:
    """A passage of 60 words, each of which has a cosine of about 0.6 with it."""
    passage = unit(RNG.standard_normal(DIMENSION))
    vectors = unit(0.75 * passage + unit(RNG.standard_normal((WORDS, DIMENSION))))
    words = [f"word{number:02}" for number in range(WORDS)]
    spans = np.array([(8 * number, 8 * number + 6) for number in range(WORDS)], np.int32)
    text = "  ".join(words)
    return Element("passage", text, rows=(3,)), Tokens(passage, vectors, spans)


def errors(bits: int) -> Vectors:
    """What codes with so many bits add to the cosines of each word with a thousand question tokens."""
    element, tokens = related()
    read = unpack(pack([element], {element.spoken: tokens}, bits))
    each = np.arange(WORDS)
    lines = SimpleNamespace(starts=each, sizes=np.ones(WORDS, np.intp), passages=np.zeros(WORDS, np.intp))
    candidate = SimpleNamespace(tokens=read, token_lines=lines, passages=tokens.vector[None])
    question = unit(0.5 * tokens.vector + unit(RNG.standard_normal((1000, DIMENSION))))
    found: Vectors = _cosines(question, [cast(Elements, candidate)], [each]) - question @ tokens.vectors.T
    return found


@pytest.mark.parametrize(("bits", "noise"), [(1, 0.033), (2, 0.022)])
def test_cosines_have_noise_of_mean_zero(bits: int, noise: float) -> None:
    assert abs(errors(bits).mean()) < 0.003
    assert errors(bits).std() < noise


def test_one_bit_has_less_noise_than_the_code_of_a_whole_vector() -> None:
    _, tokens = related()
    question = unit(RNG.standard_normal((1000, DIMENSION)))
    coded = codes.encode(tokens.vectors, 1)
    whole = coded.products(codes.turned(question, 1), np.empty(WORDS * coded.width, np.float32)).T
    assert errors(1).std() < 0.85 * (whole - question @ tokens.vectors.T).std()


@pytest.mark.parametrize(("bits", "count"), [(1, 4), (2, 5)])
def test_with_one_bit_the_pieces_of_a_word_have_one_vector(bits: int, count: int) -> None:
    text = "close overcurrent 弁開"
    spans = np.array([(0, 5), (6, 10), (10, 17), (18, 19), (19, 20)], np.int32)
    vectors = unit(RNG.standard_normal((5, DIMENSION)))
    element = Element("passage", text, rows=(7,))
    read = unpack(pack([element], {text: Tokens(vectors[0], vectors, spans)}, bits))
    assert len(read.codes) == len(read.lines) == count
    assert read.lines.tolist() == [7] * len(read.codes)
    assert read.along.size == (0 if bits == 2 else 4)


def test_with_one_bit_a_word_that_stands_twice_in_a_passage_has_one_code() -> None:
    spans = np.array([(0, 4), (5, 9), (10, 14), (15, 19), (20, 24)], np.int32)
    vectors = unit(RNG.standard_normal((10, DIMENSION)))
    first = Element("passage", "pump trip Pump stop trip", rows=(4,))
    second = Element("passage", "trip trip pump fans pump", rows=(9,))
    tokens = {
        first.spoken: Tokens(vectors[0], vectors[:5], spans),
        second.spoken: Tokens(vectors[5], vectors[5:], spans),
    }
    read = unpack(pack([first, second], tokens, 1))
    assert read.rows.tolist() == [0, 1, 0, 2, 1, 3, 3, 4, 5, 4]
    assert len(read.codes) == len(read.along) == 6
    assert unpack(pack([first, second], tokens, 2)).rows.tolist() == list(range(10))
