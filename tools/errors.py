"""Every error a person may see, and the exit code it ends with.

    SopragError                1  a bug, or something nobody foresaw
    ├─ UsageError              2  the call was wrong: option, argument, path
    ├─ ConfigError             3  a setting, a key or an embedded file is missing or wrong
    ├─ NothingFound            4  nothing fits: no document on the topic, no matching SOP
    ├─ ApprovalNeeded          5  a person must decide and nobody can be asked
    ├─ ServiceError            6  a service did not do its work
    │  ├─ ModelError              a chat or embedding model
    │  │  ├─ ModelUnavailable     no answer after every retry
    │  │  │  └─ NotAnAnswer          something else came, such as the page of a proxy
    │  │  ├─ ModelRefused         it declined to answer
    │  │  └─ AnswerInvalid        it answered, but not in the agreed form
    │  │     └─ AnswerCut            its answer ended at the token limit
    │  ├─ SearchError             a search engine or a web page
    │  │  ├─ CreditsSpent            the searches of the plan are used up
    │  │  └─ Throttled               asked too fast; `retry_after` seconds until it may be asked again
    │  └─ BudgetSpent             the run may use no more of something; `resource` names it
    ├─ DocumentError           7  this document cannot be used (damaged, encrypted, empty, wrong type)
    │  └─ NoProcedure             it was read, and it is no procedure
    └─ StorageError            8  the disk: full, unreadable, locked, damaged

A message says what happened, to which thing (`!r`), and what to do about it.
"""

from typing import ClassVar


class SopragError(RuntimeError):
    """The root of the tree; `exit_code` is what the process ends with.

    It is a `RuntimeError` because LangGraph's server passes the message of built-in errors on to its clients, and in
    place of any other one says "An internal error occurred".
    """

    exit_code: ClassVar[int] = 1


class UsageError(SopragError):
    """The call was wrong: an option, an argument or a path."""

    exit_code = 2


class ConfigError(SopragError):
    """A setting, a key or an embedded file is missing or wrong."""

    exit_code = 3


class NothingFound(SopragError):
    """Nothing fits the topic or the question."""

    exit_code = 4


class ApprovalNeeded(SopragError):
    """A person must decide and nobody can be asked."""

    exit_code = 5


class ServiceError(SopragError):
    """A service outside this process did not do its work."""

    exit_code = 6


class ModelError(ServiceError):
    """A chat or embedding model did not do its work; `outcome` says so after its name."""

    outcome: ClassVar[str] = "gave no answer"


class ModelUnavailable(ModelError):
    """The model gave no answer after every retry."""


class NotAnAnswer(ModelUnavailable):
    """What came is nothing that a model server sends, such as the page of a proxy."""

    outcome = "sent something that is no answer"


class ModelRefused(ModelError):
    """The model declined to answer."""

    outcome = "declined to answer"


class AnswerInvalid(ModelError):
    """The model answered, but not in the agreed form, also after repair."""

    outcome = "did not answer in the agreed form"


class AnswerCut(AnswerInvalid):
    """The model's answer ended at its token limit."""

    outcome = "was cut off at its token limit"


class SearchError(ServiceError):
    """A search engine or a web page did not do its work."""


class CreditsSpent(SearchError):
    """The searches of the plan are used up."""


class Throttled(SearchError):
    """The search engine was asked too fast."""

    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BudgetSpent(ServiceError):
    """The run may use no more credits, fetches, bytes, seconds or tokens; `resource` is which of them."""

    def __init__(self, resource: str, limit: float) -> None:
        super().__init__(f"The run's budget of {limit:,g} {resource} is used up; raise budget.{resource} for more.")
        self.resource = resource
        self.limit = limit


class DocumentError(SopragError):
    """This document cannot be used; other documents are not affected."""

    exit_code = 7


class NoProcedure(DocumentError):
    """It was read, and it is no procedure."""


class StorageError(SopragError):
    """The disk is full, unreadable, locked or damaged."""

    exit_code = 8
