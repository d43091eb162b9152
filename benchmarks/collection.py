"""The Collector on generated webs whose truth is known: what it finds, what it costs, and how it behaves.

    uv run python -m soprag.benchmarks.collection --seeds 1 2 3
    uv run python -m soprag.benchmarks.collection --seeds 1 --kill 10     # kill -9 at random moments, go on, compare

Every collection runs in a process of its own, with the rules in place of a chat model. Exit code 1 when a figure falls
short of what is asked for; `--json` prints all of them.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from soprag.benchmarks.collecting import Job
from soprag.benchmarks.miniweb.score import Figures, Limits, Work, score
from soprag.benchmarks.miniweb.web import SIZE, MiniWeb

ROOT = Path(__file__).parents[1]
LIMITS = Limits(credits=50, fetches=400, seconds=120.0)
Results = list[object]
UNDER_WAY = 0.5  # seconds before a kill in which an answer may have come and not be written down


@dataclass(frozen=True)
class Interrupted:
    """A collection that was killed, against one that was not."""

    figures: Figures
    kills: int
    lost: list[str]  # titles that only the undisturbed collection has
    extra: list[str]
    repeated: int  # pages delivered whole more than once
    settled: int  # of those, delivered well before a kill
    searches: int  # searches that were charged more than once


def main() -> None:
    """Measure, print, and judge."""
    options = _options()
    limits = LIMITS.model_copy(update={"seconds": options.seconds})
    failed = False
    results: Results = []
    for seed in options.seeds:
        with MiniWeb.open(seed, size=options.size) as web:
            for topic in list(web.truth.topics)[: options.topics]:
                if options.kill:
                    bad = _report_kills(kill_often(web, topic, options.kill, limits), options.json, results)
                else:
                    bad = _report(measure(web, topic, limits), options.json, results)
                failed = failed or bad
    if options.json:
        sys.stdout.write(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    sys.exit(failed)


def measure(web: MiniWeb, topic: str, limits: Limits = LIMITS) -> Figures:
    """One collection without disturbance."""
    with tempfile.TemporaryDirectory() as folder:
        web.restart()
        return score(web, topic, _finish(_start(_job(web, topic, Path(folder), limits))), limits)


def kill_often(web: MiniWeb, topic: str, kills: int, limits: Limits = LIMITS) -> Interrupted:
    """The same collection twice: once in peace, once killed again and again; every search is charged every time."""
    web.endpoint.hour = False
    chance = random.Random(web.truth.seed)
    with tempfile.TemporaryDirectory() as folder:
        web.restart()
        peaceful = _finish(_start(_job(web, topic, Path(folder), limits)))
    with tempfile.TemporaryDirectory() as folder:
        web.restart()
        job = _job(web, topic, Path(folder), limits)
        deaths = _die(job, web, kills, peaceful.seconds, chance)
        work = _finish(_start(job))
        figures = score(web, topic, work, limits)
    return Interrupted(
        figures=figures,
        kills=len(deaths),
        lost=_titles(web, set(peaceful.kept) - set(work.kept)),
        extra=_titles(web, set(work.kept) - set(peaceful.kept)),
        repeated=figures.refetched,
        settled=_settled(web, deaths),
        searches=_charged_twice(web, deaths),
    )


def _titles(web: MiniWeb, documents: set[tuple[str, str]]) -> list[str]:
    planted = web.truth.hashes()
    return sorted(planted[sha256].title if sha256 in planted else url for sha256, url in documents)


def _die(job: Path, web: MiniWeb, kills: int, seconds: float, chance: random.Random) -> list[float]:
    """Let it live for a while and kill it, as often as asked; gives the moments."""
    deaths: list[float] = []
    for _ in range(kills):
        child, before = _start(job), len(web.site.log.seen) + len(web.endpoint.calls)
        deadline = time.monotonic() + 60
        while len(web.site.log.seen) + len(web.endpoint.calls) == before and time.monotonic() < deadline:
            if child.poll() is not None:
                return deaths  # it had nothing left to ask
            time.sleep(0.01)
        time.sleep(chance.random() * 2 * seconds / kills)
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        deaths.append(time.time())
    return deaths


def _settled(web: MiniWeb, deaths: list[float]) -> int:
    """Pages fetched again although they had come well before the process was killed."""
    first: dict[tuple[str, str], float] = {}
    again = 0
    for request in web.site.log.seen:
        if request.status != 200 or request.cut or request.target == "/robots.txt":
            continue
        first_end = first.setdefault((request.host, request.target), request.ended)
        again += first_end != request.ended and not any(
            first_end - 0.05 <= death <= first_end + UNDER_WAY for death in deaths
        )
    return again


def _charged_twice(web: MiniWeb, deaths: list[float]) -> int:
    """Searches paid for again although their answer had come well before the process was killed."""
    first: dict[str, float] = {}
    again = 0
    for call in web.endpoint.calls:
        if call.charged:
            first_time = first.setdefault(json.dumps(call.parameters, sort_keys=True), call.at)
            again += first_time != call.at and not any(
                first_time - 0.05 <= death <= first_time + UNDER_WAY for death in deaths
            )
    return again


def _job(web: MiniWeb, topic: str, folder: Path, limits: Limits) -> Path:
    job = Job(
        topic=web.truth.topics[topic],
        folder=str(folder),
        base_url=web.endpoint.url,
        names=dict(web.names.answers),
        limits=limits,
    )
    file = folder / "job.json"
    file.write_text(job.model_dump_json())
    return file


def _start(job: Path) -> "subprocess.Popen[bytes]":
    from soprag.benchmarks.miniweb.endpoint import KEY

    with (job.parent / "stderr.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "soprag.benchmarks.collecting", str(job)],
            cwd=ROOT,
            env={**os.environ, "SERPAPI_API_KEY": KEY},
            stdout=subprocess.PIPE,
            stderr=log,
        )


def _finish(child: "subprocess.Popen[bytes]") -> Work:
    answer, _ = child.communicate()
    folder = Path(child.args[-1]).parent  # type: ignore[index, arg-type]
    if child.returncode:
        sys.exit(f"The collection failed:\n{(folder / 'stderr.txt').read_text()[-3000:]}")
    return Work.model_validate_json(answer).model_copy(update={"leaks": _leaks(folder)})


def _leaks(folder: Path) -> tuple[str, ...]:
    """What a collection left, its log among them, that holds the key."""
    from soprag.benchmarks.miniweb.endpoint import KEY

    files = (file for file in folder.rglob("*") if file.is_file())
    return tuple(sorted(str(file.relative_to(folder)) for file in files if KEY.encode() in file.read_bytes()))


def _report(figures: Figures, quiet: bool, results: Results) -> bool:
    results.append(figures.model_dump() | {"short": figures.failures()})
    if not quiet:
        sys.stdout.write(_lines(figures))
    return bool(figures.failures())


def _report_kills(outcome: Interrupted, quiet: bool, results: Results) -> bool:
    results.append(outcome.__dict__ | {"figures": outcome.figures.model_dump()})
    if not quiet:
        sys.stdout.write(
            f"seed {outcome.figures.seed}, {outcome.figures.topic}: {outcome.kills} kills; same documents: "
            f"{'yes' if outcome.lost == outcome.extra == [] else 'NO'}; fetched again: {outcome.repeated}, "
            f"of them not under way when killed: {outcome.settled}; paid again: {outcome.searches}; "
            f"precision {outcome.figures.precision}, recall {outcome.figures.recall}; "
            f"{outcome.figures.seconds} s after the last kill\n"
            + "".join(f"  lost: {title}\n" for title in outcome.lost)
            + "".join(f"  more: {title}\n" for title in outcome.extra)
        )
    return bool(outcome.lost or outcome.extra or outcome.settled or outcome.searches)


def _lines(figures: Figures) -> str:
    formats = ", ".join(f"{form} {share:.2f}" for form, share in figures.formats.items())
    short = figures.failures()
    lines = [
        f"seed {figures.seed}, {figures.topic}: {figures.kept} kept of {figures.true} true; "
        f"precision {figures.precision:.3f}, recall {figures.recall:.3f}, by links only {figures.link_recall:.3f}",
        f"  by format: {formats}",
        f"  {figures.requests} requests ({figures.per_document:.2f} per document) and "
        f"{figures.robots_files} robots.txt; {figures.credits} credits; {figures.seconds:.1f} s, "
        f"of them {figures.cpu:.1f} s of processor; {figures.megabytes:.0f} MB",
        f"  duplicates {figures.duplicates}, fetched twice {figures.refetched}, "
        f"robots violations {figures.violations}, outside connections {figures.outside}, "
        f"budgets exceeded: {', '.join(figures.over) or 'none'}, "
        f"files with the key: {', '.join(figures.leaks) or 'none'}, "
        f"parallel per host {figures.parallel}, least gap {figures.gap:.2f} s",
        *(f"  wrong: {url}" for url in figures.wrong),
        *(f"  missed: {what}" for what in figures.missed),
        f"  falls short in: {', '.join(short)}" if short else "  all as asked for",
    ]
    return "\n".join(lines) + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--size", type=int, default=SIZE, help="procedures per topic")
    parser.add_argument("--topics", type=int, default=2, help="topics of each web that are collected")
    parser.add_argument("--seconds", type=float, default=LIMITS.seconds, help="budget of each; more on a busy machine")
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="kill -9 so often and compare")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
