"""Gaussian kernel density estimation on the interval from 0 to 1."""

import numpy as np
from numpy.typing import NDArray

NARROWEST = 0.01  # bandwidth when all numbers are alike, which would otherwise be a spike of no width


def density(values: NDArray[np.float64], points: int = 201) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`points` places from 0 to 1 and the density there; its integral is 1.

    Bandwidth by Silverman's rule; what the kernels would put below 0 or above 1 is folded back.
    """
    spread = min(values.std(), np.subtract(*np.percentile(values, (75, 25))) / 1.34 or values.std())
    width = max(0.9 * spread * len(values) ** -0.2, NARROWEST)
    grid = np.linspace(0, 1, points)
    folded = np.concatenate([values, -values, 2 - values])
    kernels = np.exp(-0.5 * ((grid[:, None] - folded) / width) ** 2)
    return grid, kernels.sum(axis=1) / (len(values) * width * np.sqrt(2 * np.pi))
