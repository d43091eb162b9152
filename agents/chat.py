"""Command line entry point of pipeline 2, the troubleshooting chat: `python -m agents.chat`."""

from apps.chat import chat
from apps.cli import run

if __name__ == "__main__":
    chat.name = "python -m agents.chat"
    run(chat)
