"""Command line entry point of pipeline 2, the troubleshooting chat: `python -m agents.chat`."""

from soprag.apps.cli.chat import chat
from soprag.apps.cli.main import run

if __name__ == "__main__":
    chat.name = "python -m agents.chat"
    run(chat)
