"""An e-mail as a draft: an .eml file that any mail program opens; it is never sent from here."""

import asyncio
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from pydantic import Field, JsonValue, field_validator

from soprag.tools.actions.action import ToolCall, Written
from soprag.tools.actions.drafts import keep
from soprag.tools.history import StepFailure
from soprag.tools.protocols import ExpertResult, ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.text.sanitize import one_line, sanitize

_LONGEST = 20_000


class Email(Frozen):
    """A message to people who must know."""

    to: str = Field(min_length=1, max_length=500, description="addresses or names, separated by commas")
    subject: str = Field(min_length=1, max_length=200)
    body: str = Field(max_length=_LONGEST)
    cc: str = Field(default="", max_length=500)

    @field_validator("to", "subject", "cc")
    @classmethod
    def _on_one_line(cls, value: str) -> str:
        """A line break in a header would begin another header."""
        return one_line(value)


PROTOCOL = ToolProtocol(
    name="email",
    purpose="Prepare an e-mail for the operator to send.",
    when_to_use="A step says to notify, inform or e-mail somebody.",
    when_not="Somebody must be reached at once: use `call`.",
    arguments=Email,
    response=Written,
    side_effect="write",
    errors=("arguments",),
)


@dataclass(frozen=True)
class EmailDraft:
    """Writes the draft."""

    protocol: ToolProtocol = PROTOCOL

    async def act(self, arguments: dict[str, JsonValue], call: ToolCall) -> ExpertResult | StepFailure:
        """Write an .eml file marked as unsent."""
        email = Email.model_validate(arguments)
        file = await asyncio.to_thread(keep, call.folder, "email", ".eml", message_of(email, call))
        text = f"An e-mail to {email.to} was drafted in {str(file)!r}; send it from your mail program."
        return ExpertResult(output={"file": str(file), "sent": False}, text=text)


def message_of(email: Email, call: ToolCall) -> bytes:
    """The message in RFC 5322 form; a recipient that is not an address is listed in the body, to be filled in."""
    message = EmailMessage(policy=SMTP)
    message["X-Unsent"] = "1"  # mail programs open such a file for editing
    unresolved = []
    for header, people in (("To", email.to), ("Cc", email.cc)):
        addresses, names = _people(people)
        unresolved += names
        if addresses:
            message[header] = addresses
    message["Subject"] = sanitize(email.subject)
    body = sanitize(email.body)
    if unresolved:
        body = f"[Address still to be filled in: {', '.join(unresolved)}]\n\n{body}"
    message.set_content(f"{body}\n\n{call.reference}\n" if call.reference else f"{body}\n")
    return message.as_bytes()


def _people(people: str) -> tuple[list[Address], list[str]]:
    """The recipients that are addresses, and those that are only names."""
    addresses, names = [], []
    for recipient in filter(None, (part.strip() for part in people.replace(";", ",").split(","))):
        name, _, rest = recipient.rpartition("<")
        bare = rest.rstrip(">").strip() if name or "<" in recipient else recipient
        user, _, host = bare.rpartition("@")
        if user and host and bare.isascii() and not set(bare) & set(' "\\()[]:;'):
            addresses.append(Address(display_name=name.strip(' "'), username=user, domain=host))
        else:
            names.append(recipient)
    return addresses, names
