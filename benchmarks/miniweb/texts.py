"""What the mini web is written from: fields of work with their equipment, and what is done to it."""

import tomllib
from functools import cache
from importlib.resources import files

from soprag.tools.sop import Frozen


class Equipment(Frozen):
    """One kind of machine: the letters of its tags, its parts, and a reading with its unit."""

    name: str
    tag: str
    parts: tuple[str, ...]
    gauge: str
    unit: str
    medium: str


class Topic(Frozen):
    """One field of work; `phrase` is what a person would type."""

    name: str
    phrase: str
    place: str
    equipment: tuple[Equipment, ...]


class Job(Frozen):
    """One kind of procedure, with more steps than one document needs."""

    key: str
    titles: tuple[str, ...]
    aim: str
    need: str
    steps: tuple[str, ...]
    warning: str


class Decoy(Frozen):
    """The form of something that is no procedure."""

    genre: str
    title: str
    body: str


@cache
def topics() -> tuple[Topic, ...]:
    """Every field of work."""
    return tuple(Topic.model_validate(record) for record in _read("topics")["topic"])


@cache
def jobs() -> tuple[Job, ...]:
    """Every kind of procedure."""
    return tuple(Job.model_validate(record) for record in _read("jobs")["job"])


@cache
def decoys() -> dict[str, Decoy]:
    """Every genre that is no procedure."""
    return {record.genre: record for record in map(Decoy.model_validate, _read("decoys")["decoy"])}


@cache
def references() -> dict[str, Decoy]:
    """What special engines find."""
    return {record.genre: record for record in map(Decoy.model_validate, _read("reference")["reference"])}


def _read(name: str) -> dict[str, list[dict[str, object]]]:
    return tomllib.loads((files(__package__) / "texts" / f"{name}.toml").read_text(encoding="utf-8"))
