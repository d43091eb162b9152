"""Sixty pairs of names of one kind: those that denote the same thing, and those that must never be merged."""

SAME = (
    ("Pump P-101", "pump P101"), ("P-101", "P 101"), ("suction valve V-7", "V-7"), ("coolant pump P-101", "P-101"),
    ("chilled-water pumps", "chilled water pump"), ("lube oil pump", "lubricating oil pump"),
    ("discharge pressure", "discharge press."), ("high temperature alarm", "high temp alarm"),
    ("the isolation valve", "isolation valve"), ("cooling tower fans", "Cooling Tower Fan"),
    ("colour sensor", "color sensor"), ("centrifugal pump", "centrifugal pumps"), ("fibre duct", "fiber duct"),
    ("depressurisation line", "depressurization line"), ("tank level", "level of the tank"),
    ("valve, discharge", "discharge valve"),
    ("max flow", "maximum flow"), ("min pressure", "minimum pressure"),
    ("control vlv", "control valve"), ("shift mgr", "shift manager"), ("Shift Supervisor", "shift supervisors"),
    ("diesel gen", "diesel generator"), ("HV-301A", "HV 301A"), ("UPS-A", "UPS A"),
    ("hot aisle temp", "hot aisle temperature"),    ("heat exchangers HX-2", "HX-2"), ("oil filter differential pressure", "Oil-filter differential pressure"),
    ("feed water tank", "feed-water tanks"), ("aluminium plate", "aluminum plate"), ("battery breaker", "battery breakers"),
)  # fmt: skip
DIFFERENT = (
    ("Pump P-101", "Pump P-102"), ("high pressure alarm", "low pressure alarm"), ("HV-301A", "HV-301B"),
    ("UPS A", "UPS B"), ("suction valve", "discharge valve"), ("inlet temperature", "outlet temperature"),
    ("nitrate level", "nitrite level"), ("open contact", "closed contact"), ("supply fan 1", "supply fan 2"),
    ("hot aisle", "cold aisle"),
    ("primary loop", "secondary loop"), ("start permissive", "stop permissive"),
    ("north header", "south header"), ("V-7", "V-77"), ("P-101A", "P-101"), ("discharge valve of P-101", "P-101"),
    ("oil pressure", "air pressure"), ("engineer", "engine"), ("isolator", "isolated"), ("hypochlorite", "hypochlorate"),
    ("AHU-1", "IS-AHU1"), ("upper limit", "lower limit"), ("authorised person", "unauthorised person"),
    ("100 kPa line", "1000 kPa line"), ("day tank", "daily tank check"), ("chiller 2 pump", "chiller pump 3"),
    ("phase L1", "phase L2"), ("normally open valve", "normally closed valve"), ("not ready", "ready"),
    ("alarm CDU-P05", "alarm CDU-P06"),
)  # fmt: skip
