"""What a run keeps of each item, one model per kind of file in the run folder."""

import os
import re
import socket
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import field_serializer, model_validator

from soprag.tools.sop import Frozen, Question, Sop

Stage = Literal["collect", "archive", "audit", "examine", "measure"]


def ledger_page() -> str:
    """The name of this process's page of a ledger: when it begins, on which machine, in which process."""
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", socket.gethostname())
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{host}-{os.getpid()}"


class Manifest(Frozen):
    """What was asked for, and with which settings; fixed when the run begins."""

    run: str
    created: str
    topic: str
    source: str
    profile: str
    version: str
    settings: dict[str, Any]
    editions: dict[str, str]


class Coordinator(Frozen):
    """The machine that coordinates a run whose folder is shared, and its folder for SQLite files and the lock.

    They must not lie on a network file system, where SQLite's write-ahead log does not work.
    """

    host: str
    folder: str


class Phrases(Frozen):
    """The search phrases the topic was turned into."""

    phrases: list[str]


class Collected(Frozen):
    """The documents of the run, and the names of files that were the same byte for byte."""

    source: str
    documents: list[str]
    duplicates: list[str]


class Parsed(Frozen):
    """How a document became Markdown."""

    document: str
    engine: str
    characters: int
    warnings: list[str]


class Audited(Frozen):
    """A document that is an SOP, or several: why, and its atomic SOPs.

    On disk the preamble that they share stands once, in `preamble_text`; in memory each SOP refers to it.
    """

    document: str
    reason: str
    confidence: float
    preamble_text: str = ""
    sops: list[Sop]

    @field_serializer("sops")
    def _without_preamble(self, sops: list[Sop]) -> list[dict[str, Any]]:
        return [sop.model_dump(exclude={"preamble_text"}) for sop in sops]

    @model_validator(mode="after")
    def _with_preamble(self) -> "Audited":
        shared = [
            sop.model_copy(update={"preamble_text": self.preamble_text}) if sop.preamble else sop for sop in self.sops
        ]
        object.__setattr__(self, "sops", shared)
        return self


class Rejected(Frozen):
    """A document that was left out, and why."""

    document: str
    name: str
    reason: str
    confidence: float
    is_copy: bool = False


class DroppedQuestion(Frozen):
    """A question that failed its checks in every round."""

    level: str
    text: str
    reason: str


class Examined(Frozen):
    """The questions of one SOP, and those that failed their checks."""

    sop: str
    wanted: int
    questions: list[Question]
    dropped: list[DroppedQuestion]
    drafts: int = 0  # that were checked; a rule brings more of them than are wanted
    rounds: int = 0


class Failure(Frozen):
    """An item that a stage could not finish; its siblings are not affected."""

    stage: Stage
    item: str
    name: str
    error: str
    message: str
