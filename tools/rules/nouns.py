"""Noun lists for entity recognition: equipment, measured quantities with their units, and roles."""

from soprag.tools.procedure.wording.lexicon import words

EQUIPMENT = words(
    """
    absorber accelerator actuator adapter aircraft alternator amplifier antenna appliance ats autoclave axle barrier
    baffle battery beacon bearing bed belt blade blower boiler bollard boom booth box brake breaker bridge broker
    bucket burner bus busbar bypass cabinet cable camera canister cart cartridge chamber chassis chiller chock
    circuit clamp cleaner cluster coil collector column compressor condenser connector console container contactor
    controller conveyor cooler coupling crane crucible crio cutter cyclone damper database deck detector device
    dewar dial diode disk display dolly dome door drain drawer drive drum dryer duct elevator encoder engine
    enclosure equipment evaporator exchanger exhaust extinguisher fan feeder filter fixture flange forklift freezer
    furnace fuse gasket gate gateway gauge gearbox generator gripper grounding gun hatch header heater hexapod hoist
    hood hopper host hose hub humidifier hutch hydrant indicator injector instrument interface interlock inverter
    jack jetbridge joint joystick keyboard kiosk ladder lamp laser latch lens lever lift line lock loader loop
    louver louvre machine magnet manifold manometer meter microscope mirror mixer module monitor motor mount muffler
    needle network nitrogen node nozzle oven panel pdu pedestal piping pipe piston plate platform plc plug pod pole
    port positioner printer probe processor projector propeller pump purifier rack radiator radio ramp reactor
    receiver rectifier reducer reel regulator relay reservoir robot roller rotator router scale scanner scrubber
    seal seat sensor separator server shaft shutter silo skid slit socket software solenoid spectrograph spindle
    spool spreader sprinkler stage station steam-trap strainer stretcher sump switch switchboard switchgear system
    tank tap telescope terminal thermocouple thermometer thermostat throttle tire tower tractor trailer train
    transducer transformer transmitter trap tray trolley truck tube tug turbine tyre unit ups valve vacuum vehicle
    ventilator vessel volume wheel winch windlass window wire workstation wrench
    """
)

QUANTITIES = words(
    """
    absorption acceleration acidity age alkalinity altitude amperage angle azimuth backlog bandwidth bias brightness
    capacity charge clearance concentration conductivity consumption contrast count current cycle delay density
    depth dewpoint diameter differential distance dose duration duty efficiency elevation energy error-rate exposure
    feed flow flowrate force frequency gain gap gradient head heat height hardness humidity impedance inclination
    intensity interval irradiance latency leakage length level lifetime limit load luminosity mass noise occupancy
    offset opacity oxygen ph phase pitch position power pressure quota radius range rate ratio reading resistance
    resistivity resolution retention rpm salinity seeing setpoint set-point size slope speed spread strain stress
    superheat subcooling temperature tension thickness threshold throughput throw timeout tilt time tolerance torque
    travel turbidity usage utilisation utilization value velocity vibration viscosity visibility voltage weight
    width wind yaw
    """
)

UNITS = (
    r"(?:°\s?[CFK]|℃|[ΔK]?K\b|deg(?:rees?)?(?:\s?(?:C|F|celsius|fahrenheit))?\b|%|percent|ppm|ppb|bar(?:g|a)?\b|"
    r"[kMm]?Pa\b|psi(?:g|a)?\b|mbar|"
    r"inHg|mmHg|torr|L/min|l/min|lpm|gpm|m3/h|m³/h|cfm|l/s|kg/h|[kMGT]?W\b|[kMG]?Wh\b|kVA|[mk]?V(?:AC|DC)?\b|"
    r"[mkµ]?A\b|A(?:mps?)?\b|"
    r"[kMG]?Hz\b|rpm|dB(?:A|m)?\b|[kmcµn]?m\b|mm/s|m/s|km/h|knots?|kts?\b|kn\b|mph|ft\b|feet|inch(?:es)?|in\b|"
    r"miles?|NM\b|[kmµ]?g\b|lbs?\b|tons?\b|"
    r"N·?m\b|kN\b|[kMGT]i?B\b|bytes?|[mµn]?s\b|sec(?:onds?)?|min(?:utes?)?|h(?:ours?|rs?)?\b|days?|weeks?|months?|"
    r"years?|µS/cm|mS/cm|pH|"
    r"lux|mrem|mSv|arcsec|pix(?:els?)?|times|replicas?|retries|attempts|cycles|requests?(?:/s)?|x\b)"
)

ROLES = words(
    """
    administrator admin agent analyst assistant astronomer attendant captain chief clerk commander contractor
    controller coordinator copilot crew custodian custodians dispatcher driver duty-manager electrician engineer
    expert facilitator foreman guard handler headset-operator helpdesk inspector installer intern janitor lead
    loader loadmaster manager marshaller mechanic medic nurse observer officer on-call operator owner personnel
    physician pilot planner plumber porter proposer purser receptionist responder reviewer rigger safety-officer
    scientist specialist staff steward stewardess supervisor support team technician trainee user vendor verifier
    warden watchkeeper welder witness worker
    """
)

# Quantity nouns that are ambiguous without a value.
VAGUE = words(
    """
    age charge count current cycle exposure feed force gap head height interval length level life limit load mass
    offset pitch position power range rate ratio reading resolution size slope spread step strain time travel value
    weight width
    """
)

# Words in -ing that are part of a name ("cooling water") and not what somebody does.
FORMS = words(
    """
    bearing boarding boosting building casing ceiling charging cooling cutting de-icing deicing drilling fitting
    fuelling fueling grounding heating housing landing lighting loading locking lubricating mixing monitoring
    mounting operating packing parking piping processing refuelling ring rotating shipping spring steering supply
    switching towing tubing wing wiring
    """
)

# Words that no name begins with.
BEFORE_NAMES = words(
    """
    a an per how why what where does do did i we you me my the this that these those each every any all both some no
    its their your our his her and or of to in on at for from by with without if when then than as is are was were
    be been being has have had can may must should will not only also such which who whose it they there here other
    another same new own more most one two three first second next last following given correct proper appropriate
    entire whole main current available specific particular affected respective it's
    """
)
