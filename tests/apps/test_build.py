"""`soprag build` as a user runs it: real files, no key, and every way it can go wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import write_memo, write_procedure

ROOT = Path(__file__).parents[2]


def soprag(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the documented command in `cwd` without any key."""
    kept = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "SOPRAG_RUN__CACHE": str(cwd / "cache")}
    return subprocess.run(
        [sys.executable, "-m", "agents.build_benchmark", *arguments],
        cwd=cwd, env=kept | environment, capture_output=True, text=True, check=False, timeout=110,
    )  # fmt: skip


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three SOPs, one of them in another format too, a memo, and four files nobody can use."""
    folder = tmp_path_factory.mktemp("documents")
    for number in range(3):
        write_procedure(folder, number)
    write_memo(folder)
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "no-pages.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )
    (folder / "renamed.docx").write_bytes(bytes(range(256)) * 40)
    (folder / "copy-of-0.md").write_bytes((folder / "feed-pump-0.md").read_bytes())
    printed = (folder / "feed-pump-0.md").read_text(encoding="utf-8") + "\nPrinted copies are not controlled.\n"
    (folder / "printed-0.txt").write_text(printed, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def finished(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """One finished run over them: its folder and its summary."""
    cwd = tmp_path_factory.mktemp("cwd")
    done = soprag("--topic", "Pumps", "--source", str(documents), "--out", "run", "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return cwd / "run", json.loads(done.stdout)["data"]["summary"]


def test_a_run_keeps_the_sops_and_says_what_failed(finished: tuple[Path, dict[str, object]]) -> None:
    run, summary = finished
    assert (summary["collected"], summary["sops"], summary["rejected"]) == (8, 3, 2)
    left_out = [json.loads(file.read_text()) for file in (run / "rejected").iterdir()]
    copies = [each["reason"] for each in left_out if each["is_copy"]]
    assert [reason.startswith("It has nearly the same words as ") for reason in copies] == [True]
    assert "| copy | It has nearly the same words as " in (run / "benchmark" / "datasheet.md").read_text(
        encoding="utf-8"
    )
    assert summary["failed"] == {"archive": 3}
    messages = [json.loads(file.read_text())["message"] for file in (run / "failed" / "archive").iterdir()]
    assert all(message.endswith(".") and "\n" not in message for message in messages)


def test_the_benchmark_has_the_beir_layout(finished: tuple[Path, dict[str, object]]) -> None:
    folder = finished[0] / "benchmark"
    corpus = {json.loads(line)["_id"] for line in (folder / "corpus.jsonl").read_text().splitlines()}
    queries = {
        json.loads(line)["_id"]: json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()
    }
    header, *rows = (folder / "qrels" / "test.tsv").read_text().splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    assert {row.split("\t")[0] for row in rows} == set(queries)
    assert {row.split("\t")[1] for row in rows} <= corpus
    assert {query["metadata"]["level"] for query in queries.values()} <= {1, 2, 3, 4, 5}
    assert len(queries) >= 2 * len(corpus)


def test_the_report_is_one_page_that_loads_nothing(finished: tuple[Path, dict[str, object]]) -> None:
    html = (finished[0] / "benchmark" / "report.html").read_text()
    assert "renamed.docx" in html and "Restart of the feed pump P-100" in html
    assert "http://" not in html and "https://" not in html and "<script" not in html


def test_bodies_are_verbatim_lines_of_the_source(finished: tuple[Path, dict[str, object]], documents: Path) -> None:
    lines = (finished[0] / "benchmark" / "corpus.jsonl").read_text().splitlines()
    for sop in map(json.loads, lines):
        name = sop["metadata"]["name"].replace("copy-of-0", "feed-pump-0")
        assert sop["text"].strip() == (documents / name).read_text().strip()


def test_resume_of_a_finished_run_changes_nothing(finished: tuple[Path, dict[str, object]], documents: Path) -> None:
    run = finished[0]
    before = {file.name: file.read_bytes() for file in (run / "benchmark").glob("*.jsonl")}
    done = soprag("--resume", "run", "--source", str(documents), cwd=run.parent)
    assert done.returncode == 0, done.stderr
    assert {file.name: file.read_bytes() for file in (run / "benchmark").glob("*.jsonl")} == before


def test_resume_with_another_seed_is_refused(finished: tuple[Path, dict[str, object]]) -> None:
    done = soprag("--resume", "run", "--seed", "99", cwd=finished[0].parent)
    assert done.returncode == 2
    assert "--seed 7 and not 99" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "message"),
    [
        (["--topic", "Pumps", "--sauce", "x"], {}, 2, "No such option"),
        ([], {}, 2, "Name a topic"),
        (["--topic", "Pumps", "--source", "nowhere"], {}, 2, "no folder 'nowhere'"),
        (["--topic", "Pumps", "--profile", "offlin"], {}, 3, "no profile 'offlin'"),
        (["--topic", "Pumps"], {"SOPRAG_LLM__MODLE": "x"}, 3, "llm.modle: no such setting"),
        (["--topic", "Wedding cakes"], {}, 4, "No document of the embedded library is on the topic"),
        (["--resume"], {}, 2, "no run"),
        (["--resume", "gone"], {}, 2, "no run 'gone'"),
    ],
)
def test_wrong_calls_end_with_one_clear_line_and_their_code(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], code: int, message: str
) -> None:
    done = soprag(*arguments, cwd=tmp_path, **environment)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_folder_without_any_sop_says_so(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    write_memo(tmp_path / "docs")
    done = soprag("--topic", "News", "--source", "docs", cwd=tmp_path)
    assert done.returncode == 4
    assert "None of the documents is an SOP" in done.stderr


def test_a_folder_of_unusable_files_says_why(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "empty.pdf").write_bytes(b"")
    done = soprag("--topic", "Pumps", "--source", "docs", "--json", cwd=tmp_path)
    assert done.returncode == 7
    assert json.loads(done.stdout)["error"]["exit_code"] == 7
    assert "empty.pdf" in done.stderr


@pytest.mark.slow
def test_resume_reads_again_what_could_not_be_read(tmp_path: Path) -> None:
    documents = tmp_path / "docs"
    documents.mkdir()
    write_procedure(documents, 0)
    (documents / "late.md").symlink_to(documents / ".not-there-yet.md")
    done = soprag("--topic", "Pumps", "--source", "docs", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0 and "1 at collect" in done.stdout
    write_procedure(tmp_path, 1).rename(documents / ".not-there-yet.md")
    done = soprag("--resume", "run", cwd=tmp_path)
    assert done.returncode == 0 and "2 SOPs from 2 of 2 documents" in done.stdout, done.stderr
    assert "FAILED" not in done.stdout


def test_an_argument_that_is_not_utf_8_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "d\udce9r").mkdir()
    done = soprag("--topic", "Pumps", "--source", "d\udce9r", cwd=tmp_path)
    assert done.returncode == 2
    assert "is not UTF-8" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_file_name_that_is_not_utf_8_costs_the_build_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    write_procedure(tmp_path / "docs", 0).rename(tmp_path / "docs" / "caf\udce9\n.md")
    (tmp_path / "docs" / "passwd.md").symlink_to("/etc/passwd")
    done = soprag("--topic", "Pumps", "--source", "docs", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 SOPs from 1 of 1 documents" in done.stdout
    (failure,) = (tmp_path / "run" / "failed" / "collect").iterdir()
    assert "symbolic link out of the source folder" in failure.read_text()
    (document,) = (tmp_path / "run" / "documents").iterdir()
    assert json.loads(document.read_text())["name"] == "caf%E9%0A.md"
