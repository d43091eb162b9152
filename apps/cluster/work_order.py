"""What a worker must know to work for a coordinator; sent with every task, so that nothing is set up on workers."""

from soprag.configs.settings import Settings
from soprag.tools.llm.trust import ModelTrust
from soprag.tools.sop import Frozen


class WorkOrder(Frozen):
    """Settings without keys, the desk to ask, and what the coordinator's models are called.

    `number` differs between two coordinators. `editions` are the fingerprints of the chat model by task, `trust` what
    its self-check found, `cache` the folder for caches or empty for the worker's local directory.
    """

    number: str
    desk: str
    settings: Settings
    model: str
    editions: dict[str, str]
    trust: ModelTrust | None
    embedding: str
    cache: str
