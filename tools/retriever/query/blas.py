"""One thread for the products of matrices, in every process that searches.

A search multiplies small matrices. The threads of a BLAS library gain nothing on them and wait for each other in loops,
so that searches at the same time take several times as long.
"""

import os
from functools import cache

_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@cache
def limit_blas() -> None:
    """Limit BLAS to one thread for this process, also when numpy was imported before; a variable that is set stays."""
    from threadpoolctl import threadpool_limits

    if not any(name in os.environ for name in _VARIABLES):
        threadpool_limits(1, user_api="blas")
