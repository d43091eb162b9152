"""What the cases of the replay suite say: questions, replies, sub-tasks and statements of our own."""

from typing import Any

TOPICS = {
    "airline-ground-services": "Airline ground services",
    "building-management": "Building management",
    "data-center-maintenance": "Data center maintenance",
    "liquid-cooling": "Liquid cooling of servers",
}

_DONE = {"step": "s1", "tool": "retrieval", "task": "Find it.", "status": "ok", "kind": "answer", "about": "fan-1"}
_EMPTY = {"step": "s1", "tool": "retrieval", "task": "Find it.", "status": "failed", "failure": "empty"}
_SPEED = "Limit: the discharge stays below 6 bar. Flow 40 m3/h, efficiency 65 %."

PLANS: dict[str, dict[str, Any]] = {
    "symptom": {"question": "The coolant distribution unit alarms with low flow, what now?"},
    "task": {"question": "How do I swap the filter of the type B CRAC?"},
    "clipped": {"question": "lift stuck people inside"},
    "german": {"question": "Wie wechsle ich den Filter an AHU-1?"},
    "limit": {"question": "Compressor discharge is at 9 bar, is that too much?"},
    "who": {"question": "who do I call when glycol is below 20 percent"},
    "guide": {"question": "Guide me through the towbar pushback."},
    "guide-known": {"question": "take me through it", "procedure": "fan-1", "title": "Reset the exhaust fan"},
    "guide-found": {"question": "guide me through resetting the fan", "history": [{**_DONE, "text": "Reset the fan"}]},
    "follow-up": {
        "question": "and if it leaks?",
        "procedure": "p-101",
        "title": "Restart of pump P-101",
        "earlier": "pump P-101 tripped",
    },
    "resume": {"question": "ok continue", "run": "A guided run of 'Reset the fan' waits.", "procedure": "fan-1"},
    "answered": {"question": "how do I reset the fan", "history": [{**_DONE, "text": "Reset the fan: press RESET."}]},
    "not-found": {"question": "odd smell in the server lift", "history": [{**_EMPTY, "text": "No procedure fits."}]},
    "power": {"question": "What power does a pump draw for 40 m3/h against 6 bar if 35 % is lost?"},
    "duty": {
        "question": "How much heat do 12 L/s of PG25 carry off from 45 to 38 degC, say 3.9 kJ/kgK and 1020 kg/m3?"
    },
    "runtime": {"question": "The UPS battery holds 40 kWh and the load is 85 kW. How long do we have?"},
    "value-then-sum": {
        "question": "With the values of the pump procedure, what power does it draw?",
        "history": [{**_DONE, "about": "p-101", "text": _SPEED}],
    },
    "table": {"question": "Make a table of the saturation pressure of water from 20 to 90 degC in steps of 10 K."},
    "mixture": {"question": "How much pure glycol for 800 L at 18 % to reach 25 %?"},
    "thanks": {"question": "thanks, that was it"},
    "two-things": {
        "question": "The rack manifold drips: how do I isolate it, and how much does 3 L per minute lose in 2 h?"
    },
    "meaning": {"question": "What does alarm CDU-A07 mean?"},
    "compare": {"question": "Is the diesel ground power unit connected in another way than the electric one?"},
    "roster": {"question": "who is on shift tonight"},
    "act": {"question": "Please open valve V-12 for me."},
}

_FANS = ["Exhaust fan, type A: reset", "Exhaust fan, type B: reset"]
REPLIES: dict[str, dict[str, Any]] = {
    "letter": {"asked": "reset the fan", "choices": _FANS, "reply": "the B one"},
    "order": {"asked": "reset the fan", "choices": _FANS, "reply": "the former"},
    "unclear": {"asked": "reset the fan", "choices": _FANS, "reply": "the big one I think"},
    "more": {"asked": "reset the fan", "choices": _FANS, "reply": "it tripped after the storm"},
    "other": {"asked": "reset the fan", "choices": _FANS, "reply": "forget it, how do I drain the sump?"},
    "both": {"asked": "reset the fan", "choices": _FANS, "reply": "both"},
    "german": {"asked": "Lüfter zurücksetzen", "choices": _FANS, "reply": "Typ A bitte"},
    "neither": {"asked": "reset the fan", "choices": _FANS, "reply": "none of these"},
}

CALCULATIONS = {
    "pump": "Power of a pump for 40 m3/h at a pressure rise of 6 bar with 65 % efficiency, in kW.",
    "heat": "Heat carried by 12 L/s of a coolant (1020 kg/m3, 3.9 kJ/(kg K)) that cools from 45 to 38 degC, in kW.",
    "runtime": "How long does a battery of 40 kWh feed a load of 85 kW, in minutes?",
    "convert": "Express a torque of 30 ft*lbf in N*m.",
    "column": "Pressure under 12 m of a liquid of 1035 kg/m3, in bar.",
    "current": "Line current of a three-phase load of 180 kW at 400 V and power factor 0.95.",
    "fill": "How long does it take to fill 2.4 m3 at 35 L/min, in hours?",
    "blend": "Volume of a 60 % concentrate to add to 800 L at 18 % so that the mixture has 25 %.",
    "boiling": "At which temperature does water boil at 0.7 bar?",
    "velocity": "Velocity of 55 m3/h in a pipe of 80 mm bore.",
    "sum": "A tank loses 3 L/min for 2 h and then 1 L/min for 5 h. How much is lost in all, in L?",
    "nonsense": "How many people should be on the night shift?",
}

_SUSPECT = {
    "tool": "math",
    "task": "Mass flow of the coolant.",
    "output": "12.24 kg",
    "evidence": "kg is no mass flow.",
    "arguments": [{"name": "unit", "value": "kg"}],
}
_LATER = {
    "tool": "math",
    "task": "Heat from the mass flow.",
    "output": "",
    "evidence": "kg*kJ/kg is no power",
    "arguments": [{"name": "unit", "value": "kW"}],
}
_FIND = {
    "step": "s1",
    "tool": "retrieval",
    "task": "Find it.",
    "output": "",
    "evidence": "No procedure fits.",
    "arguments": [{"name": "question", "value": "hi, the thingy at bay 4 is dripping blue stuff, help"}],
}
REPAIRS: dict[str, dict[str, Any]] = {
    "earlier-unit": {
        "question": "What heat does it carry?",
        "failed": "s2",
        "kind": "dimension",
        "detail": "",
        "message": "kJ is no power",
        "suspects": [{"step": "s2", **_LATER}, {"step": "s1", **_SUSPECT}],
    },
    "other-words": {
        "question": "the thingy at bay 4 is dripping blue stuff",
        "failed": "s1",
        "kind": "empty",
        "message": "No procedure fits.",
        "detail": "",
        "suspects": [_FIND],
    },
    "missing-value": {
        "question": "How long will the tank last?",
        "failed": "s1",
        "kind": "arguments",
        "detail": "",
        "message": "The volume of the tank is not stated.",
        "suspects": [{"step": "s1", **_LATER, "task": "Time until the tank is empty."}],
    },
}

RESEARCH = {
    "leak": "How are leaks of liquid cooling found, and what stops their damage?",
    "thermography": "Which temperature differences in thermography of busways call for action?",
}
SUBTASKS = {
    "leak-signs": "What is done first when a liquid cooling loop leaks?",
    "biocide": "How is bacterial growth in PG25 coolant controlled?",
    "terms": "What is the approach temperature of a cooling loop?",
    "hot-aisle": "Which temperatures of a hot aisle call for action?",
    "infrared": "emissivity settings for thermography of busbars",
}
FACTS: dict[str, list[dict[str, Any]]] = {
    "leak": [
        {
            "id": "f1",
            "topic": "detection",
            "text": "Rope sensors under the racks detect water within 30 s.",
            "sources": [1],
        },
        {
            "id": "f2",
            "topic": "detection",
            "text": "A falling pressure of the secondary loop is a sign of a leak.",
            "sources": [2],
        },
        {
            "id": "f3",
            "topic": "damage",
            "text": "The rack valves close by themselves when a rope sensor is wet.",
            "sources": [1],
        },
        {
            "id": "f4",
            "topic": "damage",
            "text": "Servers are not switched on again before they have dried for 48 h.",
            "sources": [3],
        },
    ],
    "thermography": [
        {
            "id": "f1",
            "topic": "limits",
            "text": "A difference above 40 K to a similar part is repaired at once.",
            "sources": [1],
        },
        {
            "id": "f2",
            "topic": "limits",
            "text": "A difference of 10 to 40 K is repaired at the next shutdown.",
            "sources": [1],
        },
        {
            "id": "f3",
            "topic": "method",
            "text": "The load should be at least 40 % during the inspection.",
            "sources": [2],
        },
    ],
}
REFUSED: dict[str, list[dict[str, Any]]] = {
    "number": [
        {
            "id": "s1",
            "text": "Sensors detect water within 20 s.",
            "cited": ["Rope sensors detect water within 30 s."],
            "reason": "It says 20, which does not stand in what it cites.",
        }
    ],
    "denial": [
        {
            "id": "s1",
            "text": "Servers may be switched on again at once.",
            "reason": "It affirms something, and what it cites denies.",
            "cited": ["Servers are not switched on again before they have dried for 48 h."],
        }
    ],
    "nothing": [
        {
            "id": "s1",
            "text": "The cafeteria is closed during leaks.",
            "cited": ["The pump room has two doors."],
            "reason": "Most of its words do not stand in what it cites.",
        }
    ],
    "two": [
        {
            "id": "s1",
            "text": "A pressure fall of 2 bar is a sign of a leak.",
            "cited": ["A falling pressure is a sign of a leak."],
            "reason": "It says 2, which does not stand in what it cites.",
        },
        {
            "id": "s2",
            "text": "Wet sensors must not close valves.",
            "cited": ["The valves close when a rope sensor is wet."],
            "reason": "It denies something, and what it cites affirms.",
        },
    ],
}
