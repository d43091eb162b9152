"""Words that end the work: stops, sentences that say it is over, and what is left to somebody else."""

import re

from soprag.tools.procedure.wording.verbs import directs

_STOP = re.compile(
    r"\b(?:(?:[Ss]top|STOP)(?:\s+(?:here|work(?:ing)?|immediately|everything|the\s+(?:test|procedure|"
    r"process|work|run|job|transfer|"
    r"restart|operation|start-?up|task|activity|exercise|installation|experiment))\b|(?=\s*[.,;:]|\s*$|\s+and\b))|"
    r"[Aa]bandon\b|[Aa]bort\b|[Dd]o not (?:continue|proceed|go (?:any )?further|go ahead|restart|reset|start|go on|"
    r"return it|try again)\b"
    r"(?!\s+(?:\w+\s+){0,3}?(?:more than|again|until|before|unless|without|longer|while|to the next)\b)|"
    r"[Dd]iscontinue the\b|(?:[Pp]rocedure|[Ww]ork|[Tt]est|[Jj]ob|[Tt]ask|[Oo]peration) "
    r"(?:is|shall be|must be|has to be) (?:then |to be )?(?:terminated|aborted|stopped|abandoned|discontinued)\b"
    r"(?!\s+until)|[Ee]nd (?:of )?(?:the |this )?(?:procedure|work|test|job)\b|"
    r"nothing (?:else |more |further )?to do\b|[Tt]he procedure (?:ends|is (?:finished|complete))|"
    r"[Tt]erminate the (?:procedure|process|run)|[Ll]eave (?:the |it |them |the unit |the room\b)?[\w ]{0,20}\boff\b|"
    r"no further action|[Dd]o nothing (?:further|more|else)\b|(?:[Tt]he |[Tt]his )?[\w -]{2,30} ends here\b|"
    r"[Ee]nds? here\b|"
    r"[Tt]his (?:ends|completes|concludes) (?:the\b|part\b|section\b)|is then (?:finished|over|complete)\b|"
    r"(?:[Cc]ancel|[Pp]ostpone|[Rr]eschedule|[Tt]erminate) (?:the|this) (?:job|work|run|transfer|visit|inspection)\b|"
    r"[Ww]ithdraw the permit\b|(?:alert|alarm)(?: \w+){0,3} (?:can|may|should) (?:safely )?be ignored|"
    r"[Ii]gnore (?:the|this) (?:alert|alarm)|(?:alert|alarm) is not relevant|"
    r"[Hh]and over(?:\s+to\s+(?:the\s+)?\w+(?:\s\w+){0,2})?(?=\s*[.;]?\s*$)|[Ss]tand down(?=\s*[.;]?\s*$)|"
    r"[Hh]and (?:it|them|this|the [\w ]{1,30}?) over\b|[Gg]o no further\b|"
    r"[Dd]o not return (?:the |it |this )?[\w -]{0,20}to service\b)"
)
_HANDOVER = re.compile(
    r"\b(?:call|contact|escalate|hand over|page|dial|get help)\b",
    re.I,
)
# "Stop, close the cock and search" goes on; "stop and call the lead" does not.
_GOES_ON = re.compile(r"\s*,\s+\w+|\s+and\s+(?!wait\b)\w+", re.IGNORECASE)
_CALLS = re.compile(
    r"\b(?:call|contact|report|inform|notify|postpone|reschedule|escalate|hand over|page|dial|follow|use|abandon|alert|"
    r"discard|leave|evacuate|ask|replan|close out)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"(?:^|[,;:.)]|\b(?:and|then|or|must|please|immediately|should))\s*$", re.IGNORECASE)
# Nouns that end the work themselves: "the work is stopped", "that is the end of the job".
_STOPPED = re.compile(r"(?:procedure|work|test|job|task|operation|alert|alarm|end of)\b", re.IGNORECASE)
# Before a word of stopping that orders nothing: "you may abort the run", "the abort button".
_UNORDERED = re.compile(
    r"\b(?:(?:allowed|able|option|permitted|how|used|wish|want) to|(?:you|who|they|it) (?:may|can)|"
    r"the|an?|its?|your|their)\s+$",
    re.IGNORECASE,
)
# Nothing is done with what is rejected.
_REJECTS = re.compile(
    r"^\W*(?:do not use (?:it|them|the [\w-]+)\W*$|the [\w -]{2,25} (?:may|must|shall) not be used\W*$|"
    r"agree another (?:time|date)\b|stop(?: the [\w-]+)? at once\W*$|"
    r"reject\b(?! button)|refuse\b|no (?:further )?(?!warning|reading)\w+ing\W*$|"
    r"(?:send|turn) (?:the |it\b|them\b)[\w ]{0,30}?\baway\b)",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    r"^\W*(?:(?:you are|all|then) )?(?:finished|done)\b|"
    r"^\W*the (?:job|work|test|check|procedure|task) is (?:then )?(?:finished|done|complete|over)\b",
    re.IGNORECASE,
)
# "Add a comment and close it", "release the batch, end": the last words say that this was all.
_CLOSES = re.compile(
    r"(?:[,;]\s*(?:and\s+)?|\s[–—-]\s|\band\s+)(?:(?:the )?end|done|finish(?:ed)?|close(?: it)?|"
    r"you (?:are|have) (?:done|finished)|stop reading)\W*$|"
    r"\bleave (?:this|the) (?:instruction|procedure|sheet|card|site|building)"
    r"(?:\s+(?:at once|immediately|now))?(?:\W*$|\s+and\b)|^\W*close (?:it|(?:the|this) (?:call|alarm|change))\W*$|"
    r"\bclose (?:the|this) (?:ticket|case|incident|alert|card|call|alarm|fault|job)\W*$|^\W*close (?:the|this) job\b|"
    r"\b(?:postpone|reschedule|cancel|abandon|call off) (?:the|this) (?:test|job|work|task|run|start|delivery|"
    r"round|batch)\W*$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\bno (?:further|more) action\b|\b(?:nothing|no) more (?:needs|has|is) to be done\b|\bthat['’]s it\W*$",
    re.IGNORECASE,
)
_ESCALATE = re.compile(
    r"^\W*(?:(?:[^.;,]{3,40}(?:,| and)\s+)?hand (?:it|this|the (?:job|ticket|case|work|matter|call|task|order)) "
    r"(?:back |over )?to|escalate|hand over)\b",
    re.IGNORECASE,
)
# "Stop the pump and call the lead", "do not enter and call the fire service": what was to be done is not done.
_STOP_THEN_CALL = re.compile(
    r"^\W*stop\s+(?:the|all|both)\s+\w+.*\b(?:call|contact|inform|notify|dial)\b|"
    r"^\W*(?:do not|don't)\s+[\w' ]{2,40}?(?:\s*[;,.]\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+)"
    r"(?:immediately\s+)?(?:call|contact|inform|notify|report|dial|alert|ring|phone|telephone|fetch)\b",
    re.IGNORECASE | re.DOTALL,
)
# "Close the plug and call the lead": what was made safe is left to somebody else.
_MADE_SAFE = re.compile(
    r"^\W*(?:stop|close|shut|leave|tag|lock|isolate|open|press|trip|turn|switch|park|reject|refuse|abort|cancel|blank|"
    r"quarantine|withdraw|mark|attach|hang|terminate|step back|get out|keep|take (?:it|the [\w ]{2,25}) out of)\b"
    r"[^.;]{2,90}?(?:,\s+(?:and\s+|then\s+)?|[;.]\s+|\s+and\s+(?:then\s+)?)"
    r"(?:at once |immediately )?(?:call|ring|phone|telephone|contact|inform|notify|tell|alert|fetch|ask|"
    r"report (?:(?:it |this |the [\w -]{1,20}? )?to|(?-i:[A-Z]{2,}))|hand over|"
    r"go back to the (?:person|lead|supervisor)|"
    r"(?:leave|hand|pass) (?:it|this|them|the [\w ]{1,20}?) (?:over |back )?(?:to|for|with))\b[^.;:,]*"
    r"(?:;\s*(?:do not|no|nothing|nobody) [^.;]*|:\s[^.;]*)?\W*$|"
    r"^\W*(?:call|ring|inform|tell|notify|report)\b[^.;]{2,60}\band (?:keep|leave)\b[^.;]*\W*$",
    re.IGNORECASE,
)
_HANDED_OVER = re.compile(
    r"\bhand (?:it|them|this|the [\w -]{1,25}?) (?:over|back) to [^.;,]*\W*$|\bhand over to [^.;,]*\W*$", re.IGNORECASE
)
# Work, as people call what they do: a procedure, a part of it, or the paper it stands on.
_WORK = (
    r"(?:procedure|instructions?|sop|job|work|task|card|sheet|page|routine|run|round|visit|changeover|change|checks?|"
    r"exercise|drill|test|testing|transfer|list|checklist|session|inspection|start|start-up|startup|restart|shutdown|"
    r"shut-down|switching|analysis|measurement|cleaning|sampling|treatment|verification|maintenance|repair|order|"
    r"warm-up|observation|operation|installation|update|upgrade|part|attempt|matter|request|log|call|ticket)"
)
# Of these it says that nothing follows when they are done; of a transfer or a start-up it tells a state.
_PAPER = (
    r"(?:procedure|instructions?|sop|job|work|task|card|sheet|page|routine|run|round|visit|changeover|list|checklist|"
    r"session|inspection|check|drill|exercise|switching|order|matter|request|call|ticket|your part)"
)
_WHOSE = r"(?:(?:this|the|that|your|our|my|whole|entire)\s+){0,2}(?:[\w'’-]+\s+){0,2}?"
_OF_IT = r"(?:\s+(?:by|of|in|for)\s+[\w ]{2,25}?)?"
_NAMED = rf"{_WHOSE}{_WORK}{_OF_IT}"
_NAMED_PAPER = rf"{_WHOSE}{_PAPER}{_OF_IT}"
_SO = r"(?:(?:now|then|thereby|hereby|thus|also|at once|to be|therefore|regarded as|considered)\s+){0,2}"
_IS = r"(?:is|are|was|has been|counts as|shall be|must be|will be)\s+"
_NOT_YET = r"(?!\s+(?:by|with|when|until|as soon|before|after|if|in|on|at|to|open|\d))"
_ENDED = (
    r"(?:ended|at an end|cancell?ed|called off|broken off|abandoned|terminated|aborted|given up|void|discontinued|"
    rf"not (?:continued|carried out))\b{_NOT_YET}"
)
_COMPLETED = rf"(?:finished|completed?|closed|left)\b{_NOT_YET}"
_LATER = r"(?:\s+(?:for|until)\s+(?:today|now|good|tomorrow|(?:the|this) (?:day|shift|night)))?"
_HERE = r"(?:\s+(?:here|there|now|at this point|with (?:this|that)))?" + _LATER
# A sentence that says nothing but that the work is over: "This procedure ends here.", "End of the weekly run."
_OVER = re.compile(
    rf"^\W*{_NAMED}\s+(?:(?:ends|stops|finishes){_HERE}|(?:{_IS})?{_SO}{_ENDED}{_HERE})\W*$|"
    rf"^\W*{_NAMED_PAPER}\s+(?:(?:{_IS})?{_SO}{_COMPLETED}{_HERE}|{_IS}{_SO}(?:over|done){_HERE})\W*$|"
    rf"^\W*(?:and\s+)?(?:this|that|which|it)\s+(?:also\s+)?(?:completes|concludes|ends|finishes|closes|was|is)\s+"
    rf"(?:(?:all|it)|(?:the (?:end|last act|last step) of\s+)?{_NAMED}){_LATER}\W*$|"
    rf"^\W*(?:the )?end of (?:the |this )?(?:[\w-]+\s+){{0,3}}(?:{_WORK}|\w+ing)\W*$|"
    r"^\W*who (?:then |alone )?(?:takes? (?:over|charge|the lead|it from)|does the rest|decides everything|"
    r"goes on with)\b|"
    rf"^\W*(?:all )?(?:end|finish(?:ed)?|done|exit|over)(?:{_LATER}| until the next \w+)\W*$|"
    r"^\W*(?:you are|we are) (?:done|finished|through)\W*$|"
    r"^\W*(?:no(?:thing)? (?:more|further)(?: is)? (?:to do|to be done|is done)|nothing further is done|"
    r"no (?:further|more) (?:action|work|step|processing|test|treatment|attempt)s?(?: \w+)?|"
    r"do not (?:continue|proceed|go on|carry on)(?: with (?:this|the) \w+)?|"
    r"we do nothing more(?: on it)?|nothing (?:more |further |else )?(?:remains|is left) to (?:be )?do(?:ne)?|"
    r"nothing (?:else|more|further) is (?:required|needed|to be done)|no (?:further|"
    r"more) action(?: (?:is )?(?:needed|required))?)\W*$",
    re.IGNORECASE,
)
# "Start the queue, which completes the list": the last words of an order that say so.
_SAYS_LAST = re.compile(
    rf"[,;]\s+(?=which\b|who\b|and that\b|(?:[\w-]+\s+)?{_WORK}\s+(?:over|closed|finished|complete|done|ended)\W*$)|"
    r";\s+|\s+[–—]\s+|\s+and\s+(?=(?:this|the|that|your)\s)|,\s+(?=(?:end|finish(?:ed)?|done)(?:\W*$|"
    r"\s+(?:for|until)\b))"
)
# What comes of a condition, wherever it stands in it.
_WORK_ENDS = re.compile(
    rf"\b{_NAMED}\s+(?:(?:ends|stops|finishes)\b(?!\s+(?:by|with(?! (?:this|that)\b)|when|until|in|on|at)\b)|"
    rf"(?:{_IS})?{_SO}{_ENDED})|"
    rf"\b{_NAMED_PAPER}\s+(?:(?:{_IS})?{_SO}{_COMPLETED}|{_IS}{_SO}(?:over|done)\b(?!\s+(?:by|with|when|"
    rf"until|in|on|at|\d)))|"
    rf"\b(?:the|this)\s+(?:[\w-]+\s+){{1,3}}?{_IS}{_SO}(?:over\b(?!\s+\S*\d)|at an end|called off|broken off|abandoned|"
    r"given up|not (?:continued|carried out)|left at that)\b|"
    r"\b(?:ends?|ended|finish(?:es)?|terminates?|concludes?|completes?|leaves?|calls? off|breaks? off|abandons?)"
    rf"\s+(?:the|this|your)\s+(?:[\w-]+\s+){{0,2}}?{_WORK}\b(?!\s+(?:on|in|at|open|running|for)\b)|"
    r"\b(?:gives?|give it) up\b|\bbreaks? off\b|\bcalls? (?:it )?(?:off\b|a day)|"
    r"(?:^|[,;:.–—]|\b(?:and|then|so))\s*(?:the )?(?:end|finish(?:ed)?|quit)(?: here)?(?=\s*(?:[.,;]|$))|"
    rf"(?:^|[,;:.–—])\s*(?:the )?end of (?:the |this )?(?:[\w-]+\s+){{0,2}}(?:{_WORK}|\w+ing)\b|"
    r"(?:^|[,;:.–—]|\band)\s*(?:the )?[\w-]+ (?:is )?(?:over|accomplished|cancelled|"
    r"called off)(?=\s*(?:[.,;]|$))|"
    r"\bno (?:[\w-]+ ){1,3}?(?:today|tonight|this shift|on this day)\b|\b(?:entry|start|access|loading|"
    r"release) (?:is )?(?:forbidden|refused|denied|prohibited|barred)\b|\bfinished with\b|\bleaves? the rest (?:to|"
    r"undone|of (?:this|the) (?:sheet|list|page|steps|procedure))\b|\b(?:that is|that['’]s) the job done\b|"
    r"\bnobody (?:climbs|enters|goes)\b|"
    r"\bno (?:start|run|launch)(?=\s*(?:[.,;]|$))|\bno (?:second|re-?entry|"
    r"more(?! than))\b(?=[^.;,]{0,40}(?:$|[.;]))|\b(?:drive|go|sail|walk) home\b|"
    r"\band (?:depart|"
    r"hang up|book off)\W*$|\bno further part\b|\brests there\b|\bfinished here\b|\bout of it\b|"
    r"\bleaves? it (?:at|there)\b|\b(?:can|may) (?:go|leave)\W*$|"
    r"\bthat(?:['’]s| is| was) (?:all|it|the end)\b|\byour part\b[^.;]{0,20}\b(?:ends?|over|done)\b|"
    r"\bnothing (?:below|else|further|more)(?! than)\b|\bno (?:further|more|other) (?:attempts?|tries|work|test\w*|"
    r"steps?|action|boxes|blades?|processing|reprocessing|re-energising|(?!warning|reading)\w+ing)\b",
    re.IGNORECASE,
)
# Others go on with it: what follows is no longer for the reader.
_TAKEN_OVER = re.compile(
    r"\btakes? (?:(?:it|this|them|charge|matters|(?:the|this) (?:[\w-]+ ){1,2}?)\s*)?(?:completely |wholly )?"
    r"(?:over\b(?! from (?!here|now|there|then|this))|charge\b)|\btakes? (?:the )?(?:lead|case|matter)\b|"
    r"\b(?:has|have|owns?) (?:it|the [\w ]{2,20}?|this) from (?:now|then|here|there|that moment) on\b|"
    r"\b(?:do|does) the rest\b|\bthe rest (?:is\b[^.;]{0,20}\b(?:job|business|theirs|his|hers)|to (?:them|him|her)\b)|"
    r"\b(?:decides?|sees) (?:about|on|to) (?:everything|all) (?:else|further|more)\b|"
    r"\beverything (?:else|further|more|that follows) (?:is|goes|belongs|lies)\b|\binherits?\b|\b(?:is|"
    r"are) (?:theirs|his|hers)\b|"
    r"\bbelongs? to the\b|\b(?:replaces|instead of) (?:the rest of )?this (?:one|page|sheet|instruction|procedure)\b|"
    r"\bhands off\b|\bnone of our business\b|\bfor good\W*$|\b(?:is|are) (?:no longer|not|never) ours\b|"
    r"\b(?:is|are) the [\w -]{2,30}['’]s? (?:job|business|matter)\b|\bjob for the\b|['’]s job\W*$",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|without|n't|instead of)\s+$", re.IGNORECASE)  # "do not abort the recipe"
_WAITS = re.compile(r"\s+(?:\w+\s+)?until\b", re.IGNORECASE)
_POINT = re.compile(r"\b(?:at|by|before|after|until|till|from|near|to) (?:the )?$", re.IGNORECASE)  # in time, no order
_FOLLOWING = re.compile(r"\s*[;.]\s+")
_UNTIL = re.compile(r"\b(?:until|till|before|unless)\b[^,;.]*$", re.IGNORECASE)
# "Delivery accomplished.", "launch complete": whatever it was that was done.
_ACCOMPLISHED = re.compile(r"^\W*(?:the )?\w+ (?:accomplished|finished)\W*$", re.IGNORECASE)
# They go on all the same: "no further readings, carry on below".
_ALL_THE_SAME = re.compile(
    r"\b(?:continue|carry on|carries on|go(?:es)? on|move on|proceed|resume)\b|\bnext (?:step|line|item|point|one)\b",
    re.IGNORECASE,
)


def stop_in(text: str) -> re.Match[str] | None:
    """The words that stop the procedure: a verb at the head of a clause, not a name such as "E-stop"."""
    for found in _STOP.finditer(text):
        if _UNORDERED.search(text[: found.start()]) and not _STOPPED.match(found[0]):
            continue
        if found[0].lower().startswith("end") and _POINT.search(text[: found.start()]):
            continue
        if _WAITS.match(text, found.end()) or _NEGATED.search(text[: found.start()]):
            continue
        if found[0].lower().startswith("leave") and not _HANDOVER.search(text):
            continue
        if found[0].lower() == "stop" and _GOES_ON.match(text, found.end()) and not _CALLS.search(text):
            continue
        if found[0].lower() != "stop" or _HEAD.search(text[: found.start()]):
            return found
    return None


def supposed_end(text: str, repeated: bool) -> str | None:
    """What the consequence of a condition does before it ends, empty for nothing; None where it does not end.

    `repeated` says that the condition speaks of a failure that came again: who is called then takes over.
    """
    if _STOP_THEN_CALL.match(text) or (repeated and _HANDOVER.search(text)) or _ESCALATE.match(text):
        return text
    finished = _FINISHED.match(text) or _REJECTS.match(text)
    if finished:
        return text if text[finished.end() :].strip(" ,.;") else ""
    return text if ends_by_word(text) else None


def hands_work_over(text: str) -> bool:
    """Whether an act ends by handing what it is about to somebody ("..., hand the machine over to Maintenance")."""
    return bool(_HANDED_OVER.search(text))


def ends_by_word(text: str) -> bool:
    """Whether words say of themselves that nothing follows ("Reject the load", "... and close the ticket")."""
    if _REJECTS.match(text) or _CLOSES.search(text) or _MADE_SAFE.match(text) or _NO_MORE.search(text):
        return True
    found = _WORK_ENDS.search(text) or _TAKEN_OVER.search(text)
    if found is None or _ALL_THE_SAME.search(text) or _UNTIL.search(text[: found.start()]):
        return False
    following = _FOLLOWING.match(text, found.end())
    return following is None or not directs(text[following.end() :])


def says_done(text: str) -> bool:
    """Whether a sentence says nothing but that the work is over ("This procedure ends here.", "Done.")."""
    return bool(_OVER.match(text) or _ACCOMPLISHED.match(text))


def closing_words(text: str) -> re.Match[str] | None:
    """Where the last words of an order say that the work is over ("start the queue, which completes the list")."""
    return next((found for found in _SAYS_LAST.finditer(text) if says_done(text[found.end() :])), None)


def opening_words(text: str) -> str:
    """The words that say that the work is over, before somebody is told ("Switching is over; report to control")."""
    first, _, rest = text.partition("; ")
    return first if _CALLS.search(rest) and says_done(first) else ""
