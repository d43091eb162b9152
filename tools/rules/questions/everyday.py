"""Paraphrasing: replaces the procedure's vocabulary by everyday synonyms.

Harder question levels share fewer words with the procedure. Ambiguous words (log, order, level, server) have no entry,
and an entry applies only in a safe grammatical context: a verb before its object, a noun between function words.
"""

import re
from collections.abc import Callable

from soprag.tools.rules.questions.verbs import gerund, participle, third
from soprag.tools.text.stop_words import SMALL

_VERB_PAIRS = """
verify = double-check | ensure = make sure | replace = swap | inspect = look over | examine = look over
remove = take out | install = put in | disconnect = detach | notify = tell | inform = tell | contact = get hold of
decrease = lower | reduce = lower | increase = raise | rotate = turn | select = pick | choose = pick
clear = get rid of | delete = get rid of | configure = set up | reboot = restart | determine = find out
identify = work out | investigate = look into | review = go through | monitor = keep an eye on | obtain = get
perform = do | execute = run | modify = change | transport = move | fasten = fix | attach = fix | acquire = get
utilise = use | utilize = use | initiate = start | terminate = end | commence = start | complete = finish
retrieve = get | locate = find | observe = watch | assess = judge | evaluate = judge | diagnose = work out
record = write down | ascertain = find out | resolve = sort out | rectify = sort out | mitigate = ease
prevent = stop | confirm = double-check | validate = double-check | extract = pull out | withdraw = pull out
insert = put in | discard = throw away | collect = gather | secure = fix | fit = put in | isolate = cut off
check = look at | troubleshoot = sort out | close = shut | enable = switch on | disable = switch off | press = push
connect = hook up | create = make | deploy = roll out | adjust = tweak | operate = work | refill = top up
position = place | assemble = put together
"""
_NOUN_PAIRS = """
alarm = alert | alert = alarm | alarms = alerts | alerts = alarms | issue = problem | issues = problems
node = host | nodes = hosts | spill = puddle | quantity = amount | location = place | locations = places
damage = harm | obstacle = thing in the way | obstruction = thing in the way | leak = drip | technician = fitter
latency = delay | documentation = paperwork | malfunction = breakdown | duration = time | cause = reason
causes = reasons
"""
_PHRASE_PAIRS = """
prior to = before | in order to = to | due to = because of | is unable to = can't | are unable to = can't
is not able to = can't | are not able to = can't | cannot = can't | approximately = about
insufficient = not enough | is greater than = is over | is less than = is under | is higher than = is over
is lower than = is under | greater than = more than | exceeds = goes over | exceed = go over
has exceeded = has gone over | is above = is over | is below = is under | fails to = won't | fail to = won't
has failed to = hasn't managed to | have failed to = haven't managed to | is missing = isn't there
are missing = aren't there | is not present = isn't there | does not exist = isn't there | is required = is needed
are required = are needed | is unavailable = is out of service | are unavailable = are out of service
immediately = right away | currently = right now | multiple = several | numerous = many | additional = extra
entire = whole | frequently = often | remains = stays | remain = stay | occurs = happens | occur = happen
occurred = happened | indicates = shows | indicate = show | defective = broken | incorrect = wrong
incorrectly = wrongly | adequate = good enough | sufficient = enough | personnel = people | utilisation = usage
utilization = usage | equipment = kit | temperature = temp | temperatures = temps | contaminated = dirty
contamination = dirt | damaged = broken | adjacent = neighbouring | nearest = closest
is degraded = is worse than usual | is too high = is way up | is too low = is way down | significant = big
large = big | is not = isn't | are not = aren't | does not = doesn't | do not = don't | did not = didn't
has not = hasn't | have not = haven't | was not = wasn't | will not = won't | should not = shouldn't
were not = weren't | could not = couldn't | may be = might be | continuously = all the time
repeatedly = again and again | periodically = every so often | rapidly = fast | quickly = fast | recently = lately
consecutive = in a row | initially = at first | is operational = is working | is functioning = is working
is functional = is working | correctly = properly | respond = answer | responds = answers | responding = answering
beneath = under | rises = climbs | rising = climbing | decreases = goes down | increases = goes up
has increased = has gone up | terminated = ended | has decreased = has gone down | persists = goes on
persist = go on | has reached = has got to | hazardous = dangerous | faulty = bad | abnormal = odd
unexpected = odd | unusual = odd | leaking = dripping | is running = is up | are running = are up
is available = is there | are available = are there | is enabled = is switched on | is disabled = is switched off
is connected = is hooked up | is installed = is in | above 0 = over zero | persistent volume = disk claim
persistent volumes = disk claims | is not possible = isn't possible | more than = over | is closed = is shut
are closed = are shut | is empty = has run out | is full = has no room left | is depleted = has run out
"""
# Expansions of abbreviations, and the function of well-known programs.
_NAMED_THINGS = """
VM = virtual machine | VMs = virtual machines | PVC = volume claim | PVCs = volume claims | OSD = storage daemon
OSDs = storage daemons | NIC = network card | NICs = network cards | CPU = processor | RAM = memory
CPUs = processors | UPS = battery back-up | CRAC = room cooler | PDU = power strip | PDUs = power strips
BMS = building controls | AHU = air handler | FCU = fan coil | EPO = emergency stop | CCTV = cameras
PPE = protective gear | DNS = name service | TLS = encryption | LB = load balancer | DB = database | SSD = disk
HDD = disk | RBAC = access rights | PSU = power supply | PSUs = power supplies | GUI = window
EUI = operator window | HMI = touch panel | PLC = controller | Prometheus = the monitoring
Alertmanager = the notification service | etcd = the key-value store | Ceph = the storage | Grafana = the dashboards
Kubelet = the agent on the machine | kubelet = the agent on the machine | NooBaa = object storage
Thanos = the long-term metrics | Elasticsearch = the log store | Loki = the log store | Vault = the secret store
Slack = chat | Jira = the ticket system | JIRA = the ticket system | Zoom = video call | OpenShift = the platform
Kubernetes = the platform | pods = instances | pod = instance | namespace = project | namespaces = projects
"""
_DURATIONS = {
    "15 minutes": "a quarter of an hour",
    "30 minutes": "half an hour",
    "60 minutes": "an hour",
    "90 minutes": "an hour and a half",
    "30 seconds": "half a minute",
    "60 seconds": "a minute",
    "90 seconds": "a minute and a half",
    "120 seconds": "two minutes",
    "1 hour": "an hour",
    "24 hours": "a day",
    "36 hours": "a day and a half",
    "48 hours": "two days",
    "72 hours": "three days",
    "7 days": "a week",
    "14 days": "two weeks",
    "30 days": "a month",
    "90 days": "three months",
    "6 months": "half a year",
    "12 months": "a year",
}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTED = re.compile(
    r"(?<![\d.,-])\b(\d{1,2})(?=[ -](?:second|minute|hour|day|week|month|year|litre|liter|metre|meter|time|person|"
    r"people|pump|filter|bolt|turn|drop|fan|unit|node|host|machine|pod|replica|instance)s?\b)"
)
_CLAUSAL = re.compile(r"(?:that|whether|if|which|how|what|when)\b")
_PARTICLE = re.compile(
    r"(?:out|up|off|in|on|down|back|over|with|for|to|into|through|around|away|at|by|again|twice|regularly)\b"
)
_OBJECT = r"(?=\s(?:the|a|an|all|any|my|our|each|every|both|that|whether|if|no|some|new|old)\b)"
_BEFORE_NOUN = (
    r"(?<=\bthe )|(?<=\ban )|(?<=\ba )|(?<=\bno )|(?<=\bany )|(?<=\beach )|(?<=\bevery )|(?<=\bour )|(?<=\bmy )"
)
_AFTER_NOUN = rf"(?=[,.?!]|$|\s(?:{'|'.join(sorted(map(re.escape, SMALL), key=len, reverse=True))})\b)"


def _pairs(text: str) -> dict[str, str]:
    entries = (entry for line in text.strip().splitlines() for entry in line.split(" | "))
    return {old.strip(): new.strip() for old, new in (entry.split(" = ") for entry in entries)}


_VERBS, _NOUNS, _PHRASES = _pairs(_VERB_PAIRS), _pairs(_NOUN_PAIRS), _pairs(_PHRASE_PAIRS)
_NAMED = _pairs(_NAMED_THINGS)


def _verb_forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    changes: tuple[Callable[[str], str], ...] = (str, third, gerund, participle)
    for old, new in _VERBS.items():
        first, _, rest = new.partition(" ")
        for change in changes:
            forms.setdefault(change(old), f"{change(first)} {rest}".strip())
    return forms


_FORMS = _verb_forms()


def _any(phrases: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


_SAID = re.compile(
    rf"(?<![\w-])(?:(?P<phrase>{_any(_PHRASES)})(?![\w-])|(?P<verb>{_any(_FORMS)}){_OBJECT}|"
    rf"(?:{_BEFORE_NOUN})(?P<noun>{_any(_NOUNS)}){_AFTER_NOUN})"
)
_DURATION = re.compile(rf"(?<![\w.,-])(?:{_any(_DURATIONS)})\b")
_NAME = re.compile(
    rf"(?P<article>\b(?:[Tt]he|[Aa]n?|my|each|every|no|any|this) )?(?<![\w-])(?P<name>{_any(_NAMED)})(?![\w-])"
)


def reworded(text: str, far: bool = True) -> str:
    """`text` with everyday synonyms; `far`: abbreviations, program names and durations are paraphrased as well."""

    def say(match: re.Match[str]) -> str:
        tables = {"phrase": _PHRASES, "verb": _FORMS, "noun": _NOUNS}
        return tables[match.lastgroup or "phrase"][match[0]]

    text = _SAID.sub(say, text)
    if far:
        text = _DURATION.sub(lambda time: _DURATIONS[time[0]], _NAME.sub(_described, text))
    text = _COUNTED.sub(_in_words, text)
    return re.sub(r"\b([Aa])n? (?=(\w+))", _article, text)


def _described(match: re.Match[str]) -> str:
    """The expansion of a name: with its article where it is a noun phrase of its own, without it as a modifier."""
    description = _NAMED[match["name"]]
    noun_phrase = description.removeprefix("the ")
    modifies = not re.match(_AFTER_NOUN, match.string[match.end() :])
    if modifies and len(noun_phrase.split()) > 2:
        return match[0]
    return f"{match['article'] or ''}{noun_phrase if modifies or match['article'] else description}"


def base_verb(verb: str, object_: str) -> tuple[str, str]:
    """The synonym of an instruction's verb: its base form, and its particle before the object."""
    if verb in ("check", "verify", "confirm", "validate", "determine", "ensure") and _CLAUSAL.match(object_):
        return ("make", "sure") if object_.startswith("that ") else ("find", "out")
    if _PARTICLE.match(object_):  # "check out the branch" is no way of checking
        return verb, ""
    first, _, rest = _VERBS.get(verb, verb).partition(" ")
    return first, rest


def _in_words(number: re.Match[str]) -> str:
    value = int(number[1])
    return _NUMBERS[value] if value < len(_NUMBERS) else number[1]


def _article(match: re.Match[str]) -> str:
    """`a` or `an` by the first letter of the next word, where that letter decides."""
    word = match[2]
    if word[0] not in "aeio" and not (word[0].islower() and word[0] not in "uh"):
        return match[0]
    return f"{match[1]}{'n' if word[0] in 'aeio' and not word.startswith(('one', 'eu')) else ''} "
