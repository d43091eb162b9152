"""A small thesaurus of industrial topics for search phrases.

A key holds words of a topic, all of which must occur; its value lists equipment, events and related terms from titles
of procedures in that field. It is deliberately short: a topic without an entry is searched by its own words.
"""

_FIELDS: dict[str, tuple[str, ...]] = {
    "data center": (
        "server room",
        "UPS and battery",
        "standby generator",
        "CRAC unit cooling",
        "power distribution unit",
    ),
    "data centre": (
        "server room",
        "UPS and battery",
        "standby generator",
        "CRAC unit cooling",
        "power distribution unit",
    ),
    "server": ("data center rack", "hardware replacement", "operating system patching", "backup and restore"),
    "network": ("switch and router", "firewall", "link failure", "configuration backup", "DNS outage"),
    "kubernetes": ("cluster node", "pod failure", "etcd backup", "container platform alert"),
    "database": ("backup and restore", "replication failure", "failover", "storage full"),
    "security": ("incident response", "access control", "malware containment", "account compromise"),
    "liquid cooling": ("coolant distribution unit", "coolant leak", "pump failure", "water quality and flushing"),
    "cooling": ("chiller", "cooling tower", "refrigerant leak", "high temperature alarm"),
    "building": ("HVAC", "fire alarm", "lift and elevator", "water leak", "lighting and power failure"),
    "facility": ("HVAC", "fire alarm", "emergency evacuation", "utility outage"),
    "hvac": ("air handling unit", "filter change", "chiller", "boiler"),
    "fire": ("fire alarm panel", "suppression system", "evacuation", "hot work permit"),
    "elevator": ("lift entrapment", "passenger release", "lift shutdown"),
    "lift": ("elevator entrapment", "passenger release", "elevator shutdown"),
    "airline": ("aircraft turnaround", "pushback and towing", "refuelling", "de-icing", "baggage loading"),
    "ground services": ("ramp handling", "aircraft turnaround", "ground power unit"),
    "airport": ("ramp safety", "apron operations", "aircraft marshalling", "runway inspection"),
    "ground handling": ("ramp handling", "aircraft turnaround", "ground power unit"),
    "aircraft": ("preflight inspection", "engine start", "emergency checklist", "maintenance task card"),
    "rail": ("track possession", "signal failure", "train evacuation"),
    "vehicle": ("pre-use inspection", "breakdown recovery", "battery charging"),
    "ship": ("engine room", "ballast water", "mooring", "abandon ship"),
    "warehouse": ("forklift", "loading dock", "racking inspection", "spill response"),
    "manufacturing": ("machine set-up", "changeover", "lockout tagout", "quality inspection"),
    "chemical": ("spill response", "hazardous substance handling", "reactor start-up", "emergency shutdown"),
    "refinery": ("furnace start-up", "flare", "distillation column", "emergency shutdown"),
    "oil": ("wellhead", "pipeline pigging", "gas leak", "permit to work"),
    "gas": ("gas leak", "pressure regulator", "compressor", "purging"),
    "power plant": ("turbine", "boiler", "generator synchronisation", "black start"),
    "electrical": ("switching", "isolation and earthing", "transformer", "arc flash", "battery"),
    "substation": ("switching", "transformer", "circuit breaker", "protection relay"),
    "solar": ("inverter", "PV array isolation", "panel cleaning"),
    "wind": ("turbine stop", "nacelle access", "blade inspection"),
    "battery": ("UPS", "thermal runaway", "charging", "cell replacement"),
    "nuclear": ("reactor scram", "radiation protection", "emergency operating"),
    "water": ("pump", "valve isolation", "chlorination", "leak", "sampling"),
    "wastewater": ("aeration", "sludge", "pump station", "confined space entry"),
    "boiler": ("boiler start-up", "blowdown", "low water", "burner lock-out"),
    "pump": ("pump start-up", "seal leak", "cavitation", "vibration alarm"),
    "laboratory": ("chemical hygiene", "sample handling", "instrument calibration", "biosafety"),
    "hospital": ("infection control", "medical gas failure", "patient transfer", "sterilisation"),
    "pharmaceutical": ("cleaning validation", "batch record", "aseptic", "deviation"),
    "food": ("HACCP", "cleaning in place", "cold storage", "allergen control"),
    "mining": ("ventilation failure", "blasting", "gas monitoring", "conveyor isolation"),
    "construction": ("scaffold", "lifting operation", "excavation", "working at height"),
    "telescope": ("dome", "mirror", "instrument recovery", "lockout tagout"),
    "semiconductor": ("wafer handling", "toxic gas alarm", "vacuum pump", "cleanroom"),
    "emergency": ("evacuation", "power failure", "shutdown", "first aid"),
}


def related(topic: str) -> list[str]:
    """Terms related to `topic`, the most specific field first; empty for a topic without an entry."""
    padded = f" {topic.casefold().replace('-', ' ')} "
    fields = [field for field in _FIELDS if all(f" {word}" in padded for word in field.split())]
    fields.sort(key=lambda field: -len(field.split()))
    return list(dict.fromkeys(term for field in fields for term in _FIELDS[field]))
