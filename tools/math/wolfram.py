"""Client of Wolfram|Alpha's LLM API; available when WOLFRAM_ALPHA_APPID is set."""

import os
import re
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from soprag.tools.bounded_http import send_request
from soprag.tools.history import StepFailure
from soprag.tools.math.tool import Computed, MathTool, Named, fail
from soprag.tools.protocols import ToolProtocol
from soprag.tools.sop import Frozen
from soprag.tools.units.quantity import is_unit

KEY = "WOLFRAM_ALPHA_APPID"
URL = "https://www.wolframalpha.com/api/v1/llm-api"
NUMBER = re.compile(r"([-+]?\d[\d ,]*(?:\.\d+)?(?:\s?[×x]\s?10\^?([-+]?\d+)|[eE]([-+]?\d+))?)\s*([^\n(]*)")


class Wolfram(Frozen):
    """Ask Wolfram|Alpha."""

    tool: Literal["wolfram"] = "wolfram"
    query: str = Field(max_length=400, description="a short question in English with all numbers and units")
    expect: str = Field(default="", description="words that its interpretation of the question must hold")


@dataclass(frozen=True)
class WolframAlpha:
    """The client; `appid` is a key and appears in no message."""

    appid: str
    url: str = URL
    timeout: float = 30.0

    async def ask(self, call: Wolfram) -> Computed | StepFailure:
        """The first number of the result; a failure when the interpretation does not match `expect`."""
        import httpx2

        params = {"appid": self.appid, "input": call.query, "maxchars": "2000", "units": "metric"}
        try:
            reply = await send_request("GET", str(httpx2.URL(self.url, params=params)), self.timeout)
        except httpx2.HTTPError as error:
            return fail(
                "unavailable", f"Wolfram|Alpha gave no answer: {type(error).__name__}; try again, or another tool."
            )
        if reply.status != httpx2.codes.OK:
            kind = "empty" if reply.status == httpx2.codes.NOT_IMPLEMENTED else "unavailable"
            return fail(kind, f"Wolfram|Alpha answered with status {reply.status}; put the question another way.")
        return _read(call, reply.text)


def _read(call: Wolfram, text: str) -> Computed | StepFailure:
    parts = _parts(text)
    understood = next((body for title, body in parts.items() if title.lower().startswith("input")), "")
    if call.expect and not all(word in understood.lower() for word in call.expect.lower().split()):
        return fail("inconsistent", f"Wolfram|Alpha understood {understood!r}, which is another question.")
    result = next((body for title, body in parts.items() if "result" in title.lower()), "")
    match = NUMBER.search(result)
    if not match:
        return fail("empty", "Wolfram|Alpha gave no number; put the question another way.", text[:500])
    power = int(match.group(2) or 0)
    mantissa = re.split(r"\s?[×x]", match.group(1))[0] if match.group(2) else match.group(1)
    unit = re.sub(r"\(.*", "", match.group(4)).strip()
    value = float(mantissa.replace(",", "").replace(" ", "")) * 10.0**power
    result_quantity = Named(name="result", value=value, unit=unit if is_unit(unit) else "")
    return Computed(values=(result_quantity,), method="Wolfram|Alpha", assumptions=(f"understood as: {understood}",))


def _parts(text: str) -> dict[str, str]:
    """The sections of the answer: a title with a colon, then its lines."""
    parts: dict[str, str] = {}
    title = ""
    for line in text.splitlines():
        if line.rstrip().endswith(":"):
            title = line.rstrip().rstrip(":")
            parts.setdefault(title, "")
        elif title and line.strip():
            parts[title] = f"{parts[title]} {line.strip()}".strip()
    return parts


def tools() -> tuple[MathTool, ...]:
    """The tool, when there is a key."""
    appid = os.environ.get(KEY, "")
    if not appid:
        return ()
    protocol = ToolProtocol(
        name="wolfram",
        purpose="Ask Wolfram|Alpha for a number that no other tool computes.",
        when_to_use="A fact or a computation lies outside all other tools.",
        when_not="Another tool can do it, or the question names people, sites or anything confidential.",
        arguments=Wolfram,
        response=Computed,
        side_effect="read",
        errors=("unavailable", "empty", "inconsistent"),
    )
    return (MathTool(protocol, WolframAlpha(appid).ask),)
