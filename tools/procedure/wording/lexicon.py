"""The lexicon of the extraction rules: imperative verbs, modal phrases, and the section types of headings."""

import re
from typing import Literal


def words(text: str) -> frozenset[str]:
    """The set of whitespace-separated words in `text`."""
    return frozenset(text.split())


IMPERATIVES = words(
    """
    abort accept access aliquot autoclave centrifuge decant dehydrate desiccate elute equilibrate evaporate
    homogenise homogenize hydrate incubate inoculate invert lyophilise lyophilize lyse pellet pipette precipitate
    rehydrate resuspend sonicate stain vortex
    bolt brace chock crank crimp deice de-ice dose escort extend feather flare guard jack lean
    mop muster patrol unbolt unchock solder splice titrate ring phone telephone shout reverse recirculate skim sling
    nudge pocket padlock knock wedge hose rake shovel scoop haul tip
    bail blow dab dip drape etch grind hammer kick lash latch mend moor nail paint peel pierce pinch poke polish prick
    quench ream rebook recoat relight rip rouse scratch shim sift siphon slacken smear sniff sprinkle stamp staple steer
    stick stitch strike suck swipe tally tamp taste tear throw tick tuck tug uncap unclip unroll whisk wring yank
    acknowledge activate actuate add adhere adjust administer
    advance advise agree aim alert align allow alternate analyse analyze announce answer appear append apply appoint
    approach approve arm arrange ascertain ask assemble assert assess assign assist assume attach attempt attend
    audit authenticate authorise authorize avoid await back backup balance bar begin bleed block boot bracket brake
    brief bring brush build bypass calculate calibrate call cancel capture carry catch center centre certify change
    charge check choose circulate clamp classify clean cleanup clear click climb clip clone close coat collect
    combine come command commence commission communicate compare compile complete compress compute conclude conduct
    configure confirm connect consider construct consult contact contain continue control convene convert convey
    cool coordinate copy cordon correct count cover create cross cut cycle deactivate debug decide declare decrease
    decommission deduct define deflate defrost degas delay delegate delete deliver demonstrate deploy depressurise
    depressurize describe descend designate detach detect determine develop diagnose dial dig dilute dim direct
    disable disarm disassemble discard discharge disconnect discontinue discuss disembark disengage dismiss dismount
    dispatch display dispose dissolve distribute divert divide do dock document don double download drag drain draw
    drill drive drop dry dump duplicate earth ease edit educate eject elevate eliminate email embark empty enable
    encourage end energise energize engage enlarge ensure enter erase escalate escort establish estimate evacuate
    evaluate evict examine exchange exclude execute exercise exit expand expect explain export expose extend
    extinguish extract face facilitate fasten feed fetch file fill filter find finish fit fix flag flip flush focus
    fold follow force format forward free fuel fully gather generate gently get give go grab grant grasp grease grip
    ground group guide handle hand hang heat help hoist hold hook identify ignite ignore illuminate immerse
    implement import improve include increase indicate inflate inform initialise initialize initiate inject insert
    inspect inspire install instruct insulate interrupt introduce inventory investigate invite invoke isolate issue
    join judge jump keep key kill label land launch lay lead leak leave let level lift light limit line link list
    listen load locate lock log login logon logout look loosen lower lubricate maintain make manage maneuver
    manoeuvre map mark match measure merge migrate minimise minimize mitigate mix modify monitor mount move mute
    name navigate neutralise neutralize note notify number observe obtain offer open operate optimise optimize order
    organise organize orient override pack page pair park pass paste patch pause perform permit pick pin place plan
    play plot plug point poll position post pour power practice prepare present press pressurise pressurize prevent
    prime print prioritise prioritize probe proceed process program prohibit promote protect prove provide provision
    publish pull pump punch purge push put quarantine query quit quote rack raise ramp reach react read reboot
    rebuild recalculate recalibrate recall receive recharge reconcile reconfigure reconnect record recover recreate
    rectify recycle redeploy redirect reduce re-enable refer refill refit refrain refresh refuel refuse regenerate
    register regulate reheat reinitialise reinitialize reinstall reinstate reject release relieve reload relocate
    remain remediate remember remind remount remove rename renew reopen repair repeat replace replenish reply report
    reposition repressurise request require reroute rerun rescale reschedule rescue reseat reserve reset reshape
    resize resolve respond restart restore restrict resume resupply retain retest retract retrieve retry return
    reuse revert review revise rewind rinse roll rotate route rub run safeguard sample sand sanitise sanitize save
    say scale scan schedule scrape screw scroll scrub seal search seat secure see seek segregate select send
    separate serve set settle setup shake share show squawk smell swab speak shield shift ship short shut shutdown
    sign signal silence simulate sit skip slew slide slow snap soak solve sort spare specify spin split spray spread
    squeeze ssh stabilise stabilize stack stage stand start state stay step sterilise sterilize stir stop store stow
    straighten strap stretch strip study submit subscribe subtract suction supervise supply support suspend swap
    sweep swing switch sync synchronise synchronize tag tail take talk tap tape taxi teach tell terminate test thaw
    throttle tie tighten tilt time toggle top torque touch tow trace track train transfer transmit transport treat
    triage trigger trim trip troubleshoot try tune turn twist type unblock uncheck uncordon uncouple uncover undo
    undock unfold unhook uninstall unlatch unload unlock unmount unpack unplug unscrew untie unwind update upgrade
    upload use utilise utilize vacate vacuum validate vary vent ventilate verify view visit visualise visualize wait
    wake walk warm warn wash watch water wear weigh weld wind wipe wire withdraw work wrap write yield zero zoom
    """
)

# Verbs that are more often nouns at the head of a sentence: imperatives only before an article, a preposition, ...
AMBIGUOUS = words(
    """
    aliquot autoclave centrifuge pellet pipette precipitate stain vortex
    ring phone telephone reverse sling pocket padlock knock wedge hose rake shovel scoop tip
    access alert approach back block brake cover control cross cycle display document drill drive end exercise face
    feed file filter flag focus force format fuel group ground hand help issue key label land lead level light limit
    line link list load lock log map mark match measure name note number order page park patch pin place plan plot
    point position post power present press process program pump query rack record report request return review
    route sample scale schedule screw search seal share shield shift short signal sort spare spray stack stage stand
    state step stop store supply support switch tag tape test time top trace track train transfer trigger trip vent
    view visit watch water weld wind wire work zero
    """
)
_OBJECT = re.compile(
    r"[\W_]*(?:the|a|an|all|any|each|every|both|this|that|these|those|it|its|them|their|your|our|one|two|three|four|"
    r"up|down|on|off|out|in|into|to|from|for|with|at|over|back|through|whether|if|that|and|or|by|until|as|only|no|not|"
    r"another|other|new|old|everything|everyone|between|against|around|away|how|what|which|where|when|\d|`|\*|[A-Z])"
)
_ADVERB = re.compile(
    r"(?:please|then|now|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|also|and|or|but|alternatively|"
    r"otherwise|optionally|afterwards?|again|always|never|immediately|carefully|slowly|gently|fully|manually|simply|"
    r"just|\w+ly|you (?:can|may|must|should|need to|have to|will need to|could|might want to)(?: (?:also|now|then))?|"
    r"we (?:can|should|must|need to)(?: (?:also|now|then))?|do not|don'?t|to \w+,?)[\s,:]+",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:to|if|when|whenever|once|after|before|while|until|unless|as|in|on|at|from|for|with|within|using|under|by|"
    r"during|should|where|upon|via|through|depending|prior|otherwise|because|since|given)\b"
    r"[^,:]{2,220}[,:]\s+(?:then\s+)?",
    re.IGNORECASE,
)
_OUGHT = re.compile(
    r"\b(?:must|shall|should|needs? to|has to|have to|is to|are to|"
    r"it is (?:necessary|required|recommended|possible) to|"
    r"you (?:can|may|could)|we (?:can|need to)|(?:can|may) (?:also )?be (?:\w+ly )?\w+ed|to be \w+ed)\b",
    re.IGNORECASE,
)
# A short bracket may open a sentence: "(optional)", "(a)", or the prompt of the host in "(node-01#) Add ...".
_OPENING = re.compile(r"^[^\w(\[]*_*(?:[(\[][^()\[\]]{1,40}[)\]]\s*)?[\W_]*")
_VERB = re.compile(r"([A-Za-z]+(?:-[a-z]+)?)")
_ALLOWS = re.compile(r"(?:you|we) (?:can|may|could|should|will)\b", re.IGNORECASE)
PERCEIVING = words(
    "see find notice expect get hear say require"
)  # "you can find a red light" tells, and orders nothing
_COPULA = re.compile(r"\s+(?:is|are|was|were|has|have|had|will|can|may|should|must|would|of)\b", re.IGNORECASE)


def is_instruction(sentence: str) -> bool:
    """Whether `sentence` (plain text) opens with an imperative verb, after adverbs such as "then" or "carefully"."""
    rest = sentence[_OPENING.match(sentence).end() :].replace("’", "'")  # type: ignore[union-attr]  # matches everything
    allowed = False
    for _ in range(4):
        verb = _VERB.match(rest)
        if verb and _commands(verb[1].lower(), rest[verb.end() :]):
            return not (allowed and verb[1].lower() in PERCEIVING)
        skipped = _CLAUSE.match(rest) or _ADVERB.match(rest)
        if not skipped:
            return False
        allowed = bool(_ALLOWS.match(skipped[0]))
        rest = rest[skipped.end() :].lstrip("*_`\"'([ ")
    return False


def requires(sentence: str) -> bool:
    """Whether `sentence` expresses an obligation or a permission ("The valve must be closed")."""
    return bool(_OUGHT.search(sentence))


def _commands(verb: str, after: str) -> bool:
    if verb not in IMPERATIVES and verb.rpartition("-")[2] not in IMPERATIVES:
        return False  # "double-click" and "re-start" are verbs as "click" and "start" are
    if after.lstrip().startswith(":") or _COPULA.match(after):
        return verb not in AMBIGUOUS and not _COPULA.match(after)
    return verb not in AMBIGUOUS or not after.strip() or after[0] in ",.;!" or bool(_OBJECT.match(after))


# Section types by heading; the innermost heading with a known type decides about the text under it.
_ACTS = re.compile(
    r"mitigat|resol(?:v|ution)|procedur|\bsteps?\b|\bactions?\b|recover|remed|\bfix|how to|instruct|diagnos|"
    r"\bchecks?\b|verif|troubleshoot|checklist|walkthrough|contingen|workaround|corrective|\btasks?\b|\bmethod\b|"
    r"response|respond|execution|operation\b|treatment|\bwork\b|during|before|after|escalat|first aid|emergency|"
    r"prepar|handover|close-?out|"
    r"maßnahme|vorgehen|ablauf|durchführung|behebung|procédure|étapes|procedimiento|pasos|手順|步骤|対処|处理",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^(?:\W|\d)*(?:meaning|impact|overview|background|introduction|purpose|scope|definitions?|description|"
    r"references?|glossary|abbreviations|acronyms|symptoms?|(?:\w+ )?causes?|revision|change (?:log|history)|"
    r"document (?:control|history)|contacts?|roles?\b.*|responsibilit\w+|source|name|summary|about|parameters|devices|"
    r"see also|related .*|further .*|additional (?:resources|information|notes)|post-?conditions?|records?|appendix.*|"
    r"tools?\b.*|equipment|materials?|required .*|consequences?|severity|applicab\w+|alert description|"
    r"default definition|example\w*|results?|output|faq|"
    r"zweck|geltungsbereich|but|objet|alcance|objetivo)\b[\s:&/\w-]*$",
    re.IGNORECASE,
)


_STATES = re.compile(
    r"^(?:\W|\d)*(?:(?:error|alarm|fault) (?:diagnosis|message)s?|pre-?conditions?|pre-?requisites?|requirements?|"
    r"entry conditions?|before you (?:begin|start)|safety|notes?)\b",
    re.IGNORECASE,
)


def announces(heading: str) -> Literal["acts", "tells", "states"] | None:
    """Type of the section under `heading`: instructions, description or preconditions; None when unknown."""
    if _TELLS.match(heading):
        return "tells"
    if _STATES.match(heading):
        return "states"
    return "acts" if _ACTS.search(heading) or is_instruction(heading) else None
