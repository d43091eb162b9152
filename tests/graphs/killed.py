"""A process that follows a procedure and is then killed: `python -m tests.graphs.killed FOLDER REPLY...`."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soprag.graphs.flow import create_guided_run
from tests.graphs.guided import Books, Operator, desk


async def main(folder: Path, replies: list[str]) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoint.sqlite")) as saver:
        operator = Operator(create_guided_run(context=desk(folder, Books()), checkpointer=saver))
        await operator.begin("coolant")
        await operator.say(*replies)
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
