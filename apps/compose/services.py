"""The services that the settings name: chat model, rules, embedding model, sandbox, and the Auditor over them."""

from functools import partial
from typing import TYPE_CHECKING

from soprag.apps.compose.settings import cache_folder, input_window
from soprag.configs.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from soprag.agents.auditor import Auditor
    from soprag.tools.embedding import Embedder
    from soprag.tools.llm import Llm
    from soprag.tools.sandbox import Progress, Sandbox


def open_embedder(settings: Settings) -> "Embedder":
    """The embedding model, with its cache on disk."""
    from soprag.tools import embedding

    return embedding.open_embedder(settings.embedding, cache_folder(settings))


def open_llm(settings: Settings) -> "Llm":
    """The chat model, or the rules where the settings name none.

    A task that the model failed in its last self-check (`soprag doctor --model`) is answered by the rules.
    """
    from soprag.tools import llm
    from soprag.tools.llm.trust import TrustingLlm, read_trust

    model = llm.open_llm(settings.llm, settings.prices, cache_folder(settings), partial(open_rules, settings))
    trust = None if settings.llm.model == "rules" else read_trust(model_trust_file(settings))
    return TrustingLlm(model, open_rules(settings), trust) if trust else model


def open_chat_model(settings: Settings) -> "Llm":
    """The chat model alone, without its cache and whatever it is trusted with."""
    from soprag.tools import llm

    uncached = settings.llm.model_copy(update={"cache": False, "record": ""})
    return llm.open_llm(uncached, settings.prices, cache_folder(settings), partial(open_rules, settings))


def model_trust_file(settings: Settings) -> "Path":
    """Where the self-check of the model of these settings is kept."""
    from soprag.tools.llm.trust import trust_file
    from soprag.tools.providers import server_of

    server = server_of(settings.llm.model, settings.llm.base_url)
    return trust_file(cache_folder(settings), settings.llm, server)


def open_rules(settings: Settings | None = None) -> "Llm":
    """The rules adapter, which needs no model; with `settings`, rules read whole documents in parser processes."""
    from soprag.tools.function_runner import ParserRunner
    from soprag.tools.rules.adapter import RulesLlm

    return RulesLlm(runner=ParserRunner(settings.parsing, cache_folder(settings))) if settings else RulesLlm()


def with_fallback(llm: "Llm") -> "Llm":
    """`llm`, answered by the rules where it fails; unchanged when it is the rules already."""
    from soprag.tools.llm.fallback import FallbackLlm

    rules = open_rules()
    return llm if llm.name == rules.name else FallbackLlm(llm, rules)


def rules_first(llm: "Llm") -> "Llm":
    """`llm`, asked only what the rules cannot answer exactly; unchanged when it is the rules already."""
    from soprag.tools.llm.rules_first import RulesFirstLlm
    from soprag.tools.rules.exact import EXACT

    rules = open_rules()
    return llm if llm.name == rules.name else RulesFirstLlm(llm, EXACT, rules)


def open_auditor(settings: Settings, llm: "Llm") -> "Auditor":
    """The Auditor of these settings; whole documents are read in parser processes."""
    from soprag.agents.auditor import Auditor, SplitLimits
    from soprag.tools.function_runner import ParserRunner
    from soprag.tools.llm.trust import answering
    from soprag.tools.tasks.benchmark import AUDIT

    limits = SplitLimits(settings.parsing.max_procedures, settings.parsing.max_cut_characters)
    runner = ParserRunner(settings.parsing, cache_folder(settings))
    author = answering(llm, AUDIT)  # the rules read the whole document, without numbers of lines
    if author.name == "rules":
        return Auditor(author, None, limits, runner)
    return Auditor(author, input_window(settings) or None, limits, runner)


def open_sandbox(settings: Settings, on_progress: "Progress | None" = None) -> "Sandbox":
    """The sandbox, with the tools its programs may call; `on_progress` hears of its one-time preparation."""
    from soprag.tools import sandbox
    from soprag.tools.math.toolbox import host_tools

    return sandbox.open_sandbox(settings.sandbox, cache_folder(settings), host_tools(), on_progress)
