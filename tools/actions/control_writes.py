"""Whether a tool, by its own name and description, would change the state of a control system.

A word list cannot know every tool. This is a second check behind the allow-list of `tools.toml`, not a guard by itself.
"""

import re

_VERBS = re.compile(
    r"\b(?:writ|set|put|forc|overrid|modif|adjust|chang|updat|alter|appl|assign|configur|tun|actuat|command|toggl|trip|"
    r"open|clos|start|stop|jog|mov|driv|download|reset|enabl|disabl|bypass|inhibit|shelv|acknowledg|switch|turn|"
    r"(?:de)?energi[sz]|(?:de)?activat|isolat|shut|restart|reboot|increas|decreas|rais|lower|ramp|pulse?|latch|unlatch|"
    r"arm|disarm|engag|disengag|shutdown|startup|releas|vent|purg|drain|dos|execut|send|publish|inject|control)"
    r"(?:y|ies|es|e|s|ting|ing|ping)?\b",
    re.IGNORECASE,
)
_PROCESS = re.compile(
    r"\b(?:scada|dcs|plc|rtu|opc(?:[ _-]?ua)?|modbus|profinet|bacnet|s7|iec ?104|set ?points?|registers?|coils?|tags?|"
    r"actuators?|valves?|breakers?|contactors?|relays?|interlocks?|drives?|motors?|pumps?|compressors?|fans?|heaters?|"
    r"burners?|boilers?|turbines?|agitators?|conveyors?|dampers?|chillers?|robots?|controllers?|loops?|outputs?|points?|"
    r"alarms?|speeds?|temperatures?|pressures?|levels?|flows?|positions?|units?|lines?)\b",
    re.IGNORECASE,
)
_READS = re.compile(r"(?:get|read|list|fetch|show|query|describe|find|search|check|browse|lookup)\b", re.IGNORECASE)
_PAPERWORK = re.compile(
    r"\b(?:tickets?|(?:work )?orders?|reports?|notes?|logs?|e ?mails?|messages?|pages?|cases?|incidents?|permits?|"
    r"documents?|events?|comments?)\b",
    re.IGNORECASE,
)


def writes_to_control(name: str, description: str) -> bool:
    """Whether the name holds a verb of change, or the description begins with one, and either names equipment.

    Names that begin with a verb of reading, or that are about tickets, mails and the like, pass.
    """
    spaced = re.sub(r"[_\W]+|(?<=[a-z])(?=[A-Z])", " ", name).strip()
    summary = description.strip().partition("\n")[0]
    if _READS.match(spaced) or _PAPERWORK.search(spaced):
        return False
    changes = _VERBS.search(spaced) or _VERBS.match(summary)
    return bool(changes and _PROCESS.search(f"{spaced} {summary}"))
