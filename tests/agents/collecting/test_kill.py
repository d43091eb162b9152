"""kill -9 in the middle of a collection, again and again: the same documents, nothing paid for twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.agents.collecting import plants
from tests.tools.web.site import Site, serve

ROOT = Path(__file__).parents[3]
KILLS = 10
UNDER_WAY = 4  # how much may be under way when it is killed: the window


def start(site: Site, folder: Path, log: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, str(Path(plants.__file__)), str(site.port), str(folder), str(log)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_collection_that_is_killed_ten_times_ends_the_same(tmp_path: Path) -> None:
    with serve() as site:
        plants.build(site)
        whole = start(site, tmp_path / "whole", tmp_path / "whole.log")
        kept, credits = json.loads(whole.communicate(timeout=120)[0])
        site.asked.clear()
        chance = random.Random(3)
        for _ in range(KILLS):
            seen, process = len(site.asked), start(site, tmp_path / "killed", tmp_path / "killed.log")
            # Importing takes most of its time: it is killed some moments after its first sign of life.
            log = tmp_path / "killed.log"
            size = log.stat().st_size if log.exists() else 0
            while (
                process.poll() is None and len(site.asked) == seen and (not log.exists() or log.stat().st_size == size)
            ):
                time.sleep(0.005)
            time.sleep(chance.random() * 0.15)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        last = start(site, tmp_path / "killed", tmp_path / "killed.log")
        kept_again, credits_again = json.loads(last.communicate(timeout=120)[0])
        visits = Counter(seen for seen in site.asked if seen[1] != "/robots.txt")
    assert kept_again == kept
    assert credits_again == credits
    assert sum(count - 1 for count in visits.values()) <= KILLS * UNDER_WAY
    assert max(visits.values()) <= KILLS
