"""The folder for a hub, read by the packages it is for: datasets, MTEB and BEIR, in an environment of their own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from soprag.tools.publishing import publish_benchmark
from tests.reviewed_run import finished_run

ROOT = Path(__file__).parents[3]
# beir and mteb ask for torch, which their loaders do not need.
READERS = ("datasets", "pydantic", "polars", "pytrec-eval-terrier", "requests", "rich", "scikit-learn", "scipy")
LOAD = """
import sys
from datasets import load_dataset
from beir.datasets.data_loader import GenericDataLoader

hub, benchmark = sys.argv[1:]
corpus = load_dataset(hub, "corpus", split="corpus")
queries = load_dataset(hub, "queries", split="queries")
qrels = load_dataset(hub, "qrels", split="test")
assert (len(corpus), len(queries), len(qrels)) == (2, 6, 6), (corpus, queries, qrels)
assert set(qrels["corpus-id"]) <= set(corpus["_id"]) and set(qrels["query-id"]) == set(queries["_id"])
assert any("[e-mail]" in text for text in corpus["text"]) and not any("@" in text for text in corpus["text"])
documents, questions, judgements = GenericDataLoader(benchmark).load(split="test")
assert (len(documents), len(questions), len(judgements)) == (2, 6, 6)

sys.path.insert(0, hub)
from mteb_task import SopPumpsRetrieval

task = SopPumpsRetrieval()
task.load_data()
split = task.dataset["default"]["test"]
assert (len(split["corpus"]), len(split["queries"]), len(split["relevant_docs"])) == (2, 6, 6)
print("loaded by datasets, beir and mteb")
"""


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the packages that read benchmarks."""
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("there is no uv on this machine")
    folder = tmp_path_factory.mktemp("readers") / "venv"
    python = str(folder / "bin" / "python")
    install = [uv, "pip", "install", "-q", "-p", python]
    for command in (
        [uv, "venv", "-q", "-p", sys.executable, str(folder)],
        [*install, *READERS],
        [*install, "--no-deps", "beir", "mteb"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
        if done.returncode:
            pytest.skip(f"the packages cannot be installed here: {done.stderr[-300:]}")
    return folder


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_datasets_beir_and_mteb_read_what_is_published(readers: Path, tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run")
    file = next((run.path / "sops").iterdir())
    file.write_text(file.read_text().replace("call the shift supervisor", "mail shift@plant.example"))
    publish_benchmark(run)
    packages = next((readers / "lib").glob("python*/site-packages"))
    program = f"import sys; sys.path.append({str(packages)!r}); from soprag.apps.cli.main import main; main()"
    command = [sys.executable, "-c", program, "publish", "run", "--out", "hub", "--mask"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache"), "PATH": os.environ["PATH"]}
    reading = [str(readers / "bin" / "python"), "-c", LOAD, str(tmp_path / "hub"), str(run.path / "benchmark")]
    done = subprocess.run(reading, env=offline, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout.strip().endswith("loaded by datasets, beir and mteb"), done.stderr[-3000:]
