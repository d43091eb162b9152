import json
import os
import subprocess
import sys

import pytest

CODE = """
import json, numpy
from soprag.tools.retriever.query.blas import limit_blas
from threadpoolctl import threadpool_info, threadpool_limits
if {begin}:
    threadpool_limits({begin}, user_api="blas")
limit_blas()
print(json.dumps([pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]))
"""


@pytest.mark.parametrize(("said", "begin", "threads"), [({}, 3, 1), ({"OPENBLAS_NUM_THREADS": "3"}, 3, 3)])
def test_a_process_that_imported_numpy_first_gets_one_blas_thread_unless_it_says_otherwise(
    said: dict[str, str], begin: int, threads: int
) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", CODE.format(begin=begin)]
    done = subprocess.run(command, env=clean | said, capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)) == {threads}
