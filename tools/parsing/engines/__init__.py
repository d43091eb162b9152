"""The engines that turn a file into Markdown; one module each, and each needs only its own libraries."""


class DocumentRefused(Exception):
    """The document cannot be used, whatever the engine; the message says why and what to do."""
