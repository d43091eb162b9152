"""Warm parser processes, one per thread of the pool; a process that misbehaves is killed with its children."""

import contextlib
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from soprag.tools.parsing.folders import make_folder, sweep
from soprag.tools.parsing.isolation import peak_memory_of
from soprag.tools.parsing.jobs import Job, ParseJob, TellPages, WorkerReply
from soprag.tools.parsing.process_time import TimeWatch

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).absolute().parents[3]  # the folder that holds the package
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_GRACE = 5.0
_LONGEST_REPLY = 256 * 2**20
_NEARLY_FULL = 0.75
_COMPILED = ("docvortex", "mineru", "pypdf")  # most of what a parser process imports and this process does not


@dataclass
class Process:
    """A running `soprag.tools.parsing.worker` in a private folder; not shared between threads, except for `kill`."""

    folder: Path
    memory: int
    models: str = ""
    served: int = field(init=False, default=0)  # documents; parsers leave more behind than other jobs
    peak: int = field(init=False, default=0)
    _child: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "soprag.tools.parsing.worker", str(self.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env=process_environment(self.folder, self.models),
            encoding="utf-8",
            start_new_session=True,
        )

    def ask(self, job: Job, seconds: float, tell: TellPages) -> WorkerReply:
        """The reply to `job`, or `failed` when the process was killed or used more than `seconds`."""
        watch = TimeWatch(self._child.pid, seconds, self._expire)
        try:
            reply = self._exchange(job.model_dump_json(), tell)
        finally:
            watch.stop()
        if watch.expired:  # also when the reply came at the last moment: a killed process must not look alive
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_GRACE)
        self.served += isinstance(job, ParseJob)
        if reply is not None:
            self.peak = max(self.peak, reply.peak)
            return reply.model_copy(update={"seconds": watch.used})
        self.kill()
        reason = f"no result within {seconds:.0f} s" if watch.expired else self._end()
        return WorkerReply(failed=reason, seconds=watch.used)

    @property
    def alive(self) -> bool:
        """Whether it can take another job."""
        return self._child.poll() is None

    def kill(self) -> None:
        """End the process and everything it started, at once."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._child.pid)], check=False, capture_output=True)
        self._child.kill()

    def close(self) -> None:
        """End the process and remove its folder."""
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_GRACE)
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _expire(self) -> None:
        self.peak = max(self.peak, peak_memory_of(self._child.pid))
        self.kill()

    def _exchange(self, line: str, tell: TellPages) -> WorkerReply | None:
        """The reply; none when the process is gone."""
        assert self._child.stdin is not None and self._child.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            self._child.stdin.write(line + "\n")
            self._child.stdin.flush()
            while (message := self._child.stdout.readline(_LONGEST_REPLY)).endswith("\n"):
                reply = WorkerReply.model_validate_json(message)
                if reply.pages is None:
                    return reply
                tell(reply.pages)
        return None

    def _end(self) -> str:
        try:
            code = self._child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "the parser process did not end"
        if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
            return "it needs more processor time than it may use"
        return f"the parser process ended ({_signal(code)})"


@dataclass
class Workplace:
    """One thread's folder and its parser process, which is replaced when it is dead, worn or nearly full."""

    memory: int
    recycle: int
    models: str
    folder: Path = field(init=False)
    _mark: IO[bytes] = field(init=False)
    _process: Process | None = field(init=False, default=None)
    _highest: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.folder, self._mark = make_folder()

    def process(self) -> Process:
        """A process that can take a job."""
        old = self._process
        if old is not None and old.alive and old.served < self.recycle and old.peak < _NEARLY_FULL * self.memory:
            return old
        self.end_process()
        self._process = Process(self.folder / "home", self.memory, self.models)
        return self._process

    @property
    def peak(self) -> int:
        """The highest memory of its processes so far, MiB."""
        return max(self._highest, self._process.peak if self._process else 0)

    def end_process(self) -> None:
        """End the process, if there is one; the files stay."""
        if self._process is not None:
            self._highest = self.peak
            self._process.close()
            self._process = None

    def close(self) -> None:
        """End the process and remove the folder."""
        self.end_process()
        self._mark.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class Workplaces:
    """One workplace for each thread that asks for one."""

    memory: int
    recycle: int
    models: str
    _own: threading.local = field(default_factory=threading.local)
    _all: list[Workplace] = field(default_factory=list)

    def mine(self) -> Workplace:
        """The workplace of the calling thread."""
        workplace: Workplace | None = getattr(self._own, "workplace", None)
        if workplace is None:
            if not self._all:
                sweep()
                compile_parsers()
            workplace = self._own.workplace = Workplace(self.memory, self.recycle, self.models)
            self._all.append(workplace)
        return workplace

    def close(self) -> None:
        """End all processes."""
        for workplace in self._all:
            workplace.close()

    def peak(self) -> int:
        """The highest memory that one of the processes has held so far, MiB."""
        return max((workplace.peak for workplace in self._all), default=0)


def compile_parsers() -> None:
    """Compile the parsers where the installer has not: their processes write nothing, so each would do it anew."""
    if sys.dont_write_bytecode:
        return
    found = [spec.origin for spec in map(importlib.util.find_spec, _COMPILED) if spec and spec.origin]
    missing = [Path(file).parent for file in found if not Path(importlib.util.cache_from_source(file)).exists()]
    if folders := [str(folder) for folder in missing if os.access(folder, os.W_OK)]:
        subprocess.run([sys.executable, "-m", "compileall", "-q", *folders], check=False, capture_output=True)


def _signal(code: int) -> str:
    try:
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"
    except ValueError:
        return f"signal {-code}"


def process_environment(folder: Path, models: str) -> dict[str, str]:
    """Nothing of the user's but the path: no keys, no proxies; MinerU is told to use what is on this machine only."""
    inherited = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        **inherited,
        "PYTHONPATH": str(_ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "TEMP": str(folder),
        "TMP": str(folder),
        "MINERU_HOME": str(folder / "mineru"),
        "MINERU_MODEL_SOURCE": "local",
        **({"MINERU_MODEL_BASE_DIR": models} if models else {}),
        "MINERU_LOG_LEVEL": "ERROR",
        "DOCVORTEX_PDF_RENDER_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
