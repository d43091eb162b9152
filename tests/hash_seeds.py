"""Programs under several hash seeds: what they print must not depend on the order of sets."""

import os
import subprocess
import sys
from collections.abc import Iterable


def printed(code: str, seeds: Iterable[str]) -> set[bytes]:
    """What a program prints in a process of its own under each hash seed."""
    command = [sys.executable, "-c", code]
    return {
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in seeds
    }
