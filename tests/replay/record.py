"""Records the pairs of the replay suite from a chat model: `python -m tests.replay.record --base-url URL --model NAME`.

Asks the cases that have no pair, or one of an older prompt or input; `--accept` keeps those pairs as they are instead.
"""

import argparse
import asyncio
from dataclasses import replace
from typing import Any

from soprag.configs.settings import load
from soprag.tools.llm.answer_reading import read
from soprag.tools.llm.chat import ChatLlm
from soprag.tools.llm.client_pool import ModelRequest
from soprag.tools.llm.rendering import open_talk
from soprag.tools.llm.response import answer_of
from tests.replay.cases import ReplayCase, cases
from tests.replay.recording import RecordedPair, read_pairs, versions, write_pairs


async def _ask(llm: ChatLlm, case: ReplayCase) -> RecordedPair | None:
    """The answer as it came; None when it cannot be read."""
    talk = open_talk(case.task, case.inputs, spell_out=False)
    request: Any = ModelRequest.of(case.task, case.inputs)
    text = answer_of(await llm._send(request, talk), llm.provider.where, calls=bool(request.tools))
    prompt, inputs = versions(case)
    return RecordedPair(case.id, prompt, inputs, text) if read(case.task.answers, text).answer is not None else None


async def record(base_url: str, model: str, only: str) -> None:
    """Ask what is missing or outdated, all at once, and write the pairs."""
    pairs = read_pairs()
    open_cases = [
        case
        for case in cases()
        if case.id.startswith(only)
        and (case.id not in pairs or (pairs[case.id].prompt, pairs[case.id].input) != versions(case))
    ]
    options = {"model": model, "base_url": base_url, "concurrency": 256, "timeout": 3600, "cache": False}
    llm = ChatLlm(load(options={"llm": options}).llm, base_url)
    answers = await asyncio.gather(*(_ask(llm, case) for case in open_cases))
    pairs |= {pair.case: pair for pair in answers if pair}
    known = {case.id for case in cases()}
    write_pairs(pair for pair in pairs.values() if pair.case in known)
    print(f"{sum(map(bool, answers))} of {len(open_cases)} answers recorded")  # noqa: T201


def accept() -> None:
    """Keep the recorded answers although prompts or inputs have changed."""
    current = {case.id: versions(case) for case in cases()}
    pairs = [pair for pair in read_pairs().values() if pair.case in current]
    write_pairs(replace(pair, prompt=current[pair.case][0], input=current[pair.case][1]) for pair in pairs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="")
    parser.add_argument("--model", default="openai:mailbox")
    parser.add_argument("--only", default="", help="cases whose names begin so, such as audit/")
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    if arguments.accept:
        accept()
    else:
        cases()  # kept; some are made with a loop of their own
        asyncio.run(record(arguments.base_url, arguments.model, arguments.only))
