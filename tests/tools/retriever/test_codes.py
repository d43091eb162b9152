"""Codes of vectors: what they promise of products, of order and of their bytes."""

import numpy as np
import pytest

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.codes import encode, pack, turned, unpack


def unit_vectors(count: int, dimension: int, seed: int = 3) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def products(vectors: Vectors, question: Vectors, bits: int) -> Vectors:
    codes = encode(vectors, bits)
    return codes.products(turned(question, bits), np.empty(len(codes) * codes.width, np.float32))


@pytest.mark.parametrize("bits", [1, 2, 8])
def test_the_product_of_a_vector_with_its_own_code_is_exact(bits: int) -> None:
    vectors = unit_vectors(50, 384)
    assert np.allclose(np.diag(products(vectors, vectors, bits)), 1, atol=0.002)


@pytest.mark.parametrize(("bits", "noise"), [(1, 0.05), (2, 0.025), (8, 0.001)])
def test_products_are_those_of_the_vectors_with_noise_of_mean_zero(bits: int, noise: float) -> None:
    vectors, near = unit_vectors(400, 384), unit_vectors(400, 384, seed=4)
    question = (vectors + near) / np.linalg.norm(vectors + near, axis=1, keepdims=True)
    errors = np.diag(products(vectors, question, bits) - vectors @ question.T)
    assert errors.std() < noise
    assert abs(errors.mean()) < 3 * noise / np.sqrt(len(errors))


def test_one_bit_stands_a_few_large_numbers() -> None:
    vectors, question = unit_vectors(200, 384), unit_vectors(1, 384, seed=5)
    vectors[:, :2] += 0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert np.abs(products(vectors, question, 1) - vectors @ question.T).mean() < 0.05


@pytest.mark.parametrize("bits", [1, 2, 8])
@pytest.mark.parametrize("dimension", [384, 30])
def test_codes_survive_as_bytes_and_depend_on_their_own_vector_only(bits: int, dimension: int) -> None:
    vectors = unit_vectors(9, dimension)
    data = pack(encode(vectors, bits))
    assert len(data) == 8 + 9 * (2 + -(-dimension * bits // 8))
    again = unpack(data)[np.array([4, 2])]
    alone = encode(vectors[[4, 2]], bits)
    assert (again.packed == alone.packed).all() and (again.scales == alone.scales).all()
    assert np.allclose(turned(vectors[[4]], bits) @ again.vectors()[0], 1, atol=0.002)


def test_vectors_of_zeros_stay_zero() -> None:
    assert not encode(np.zeros((2, 16), np.float32), 2).vectors().any()
    assert encode(np.zeros((0, 16), np.float32), 8).vectors().shape == (0, 16)
