"""The question templates, several per kind for variety.

A slot in lower case continues a sentence and a capitalised one begins it: `clause` (the pump has stopped), `noun`
(high latency), `infinitive` (close the valve), `gerund` (closing the valve), `done` (closed the valve), `ask` (who do
I tell); `aside` is a sentence of its own.
"""

DIRECT = (
    "How do I {infinitive}?",
    "What is the right way to {infinitive}?",
    "How should I go about {gerund}?",
    "What do I need to do to {infinitive}?",
    "How can I {infinitive}?",
)
DIRECT_WHEN = (
    "How do I {infinitive} when {clause}?",
    "How can I {infinitive} if {clause}?",
    "What is the right way to {infinitive} when {clause}?",
    "When {clause}, how do I {infinitive}?",
)
DIRECT_AFTER = (
    "How do I {infinitive} once I have {other_done}?",
    "I have {other_done}. How do I {infinitive}?",
    "What is the right way to {infinitive} after {other_gerund}?",
    "How do I go on to {infinitive} after {other_gerund}?",
)
DIRECT_SEEN = (
    "What should I check when {clause}?",
    "What is there to do when {clause}?",
    "Where do I start when {clause}?",
    "What do I do first when {clause}?",
)
DIRECT_NOUN = ("How do I deal with {noun}?", "What should I check first when there is {noun}?")
DIRECT_FACT = ("What does it mean for me that {clause}?", "What do I have to keep in mind when {clause}?")
ORDERED = ("What has to be done before I {infinitive}?", "What do I have to do before {gerund}?")

SYMPTOM = (
    "{Clause}. What should I look at first?",
    "{Clause} and nobody here knows why.",
    "I can see that {clause}. What could be behind it?",
    "We have noticed that {clause}. What now?",
    "{Clause}, and I don't know what to do about it.",
    "It looks as if {clause}. What do I do?",
)
SYMPTOM_PLAIN = (
    "I notice that {clause}. Does that change anything?",
    "From what I see, {clause}. What follows from that?",
    "Here {clause}. What does that mean for me?",
)
SYMPTOM_NOUN = (
    "We have {noun} here and I don't know where to start.",
    "I am looking at {noun}. What could be behind it?",
    "There seems to be {noun}. What should I look at first?",
)
NOTICED = (
    "While {gerund} I noticed that {clause}.",
    "I was {gerund}, and now {clause}.",
    "{Clause}. All I wanted was to {infinitive}.",
    "I only wanted to {infinitive}, but {clause}.",
    "{Clause}, and I had just {done}.",
)
NOTICED_PLAIN = (
    "While {gerund} I noticed that {clause}. What follows from that?",
    "I was {gerund}, and by now {clause}.",
    "{Clause}, and I have only just {done}. Does that change anything?",
)
SYMPTOM_STUCK = (
    "I am trying to {infinitive} and I am not getting anywhere. What am I missing?",
    "I was told to {infinitive}, but it does not work out as I expected. What should I look at?",
    "I got stuck while {gerund}. What am I doing wrong?",
)

OPENERS = (
    "I have just come on shift and the handover was short.",
    "It is three in the morning and I am the only one here.",
    "I have taken this job over from a colleague who went home ill.",
    "I am covering for somebody who normally does this.",
    "My supervisor wants an answer before the morning meeting.",
    "We are short of people this weekend and the phone keeps ringing.",
    "I am training a new colleague today and want to get this right.",
    "I was called in ten minutes ago and am trying to get the picture.",
    "The day crew has left, and their log says very little.",
    "I am on my first night shift alone.",
    "A visitor is due in half an hour, and I would like this off my desk by then.",
    "The customer is on the other line and getting nervous.",
    "We had a quiet afternoon until a quarter of an hour ago.",
    "I have done this once before, but that was last year.",
)
ASIDES = (
    "Everything else looks the way it always does.",
    "As far as I can tell nobody is in danger.",
    "I have written down the time and have not touched anything since.",
    "I have a radio and a torch with me.",
    "I have about twenty minutes before somebody asks.",
    "Nobody at the desk could help me so far.",
    "The weather is fine, if that matters.",
    "I would rather not wake anybody for it.",
    "My notes from the training do not say anything about it.",
    "It was all right when I looked yesterday.",
)
LIMITS = (
    "I am not allowed to switch anything off before noon.",
    "Stopping everything would be the last resort.",
    "I can do without it for an hour at most.",
    "I may not leave my post for long.",
    "At most two people can go there.",
    "I would like to do it right the first time.",
    "I have nobody to ask until tomorrow.",
    "Whatever I do has to be in the log afterwards.",
)
PROGRESS = (
    "I have already {done}.",
    "So far I have {done}.",
    "The last thing I did was {gerund}.",
    "My colleague has already {done}.",
)
NEEDS = (
    "How do I {infinitive}?",
    "I now want to {infinitive}; how is that done?",
    "Can you tell me how to {infinitive}?",
    "I was asked to {infinitive}. How do I do that?",
    "Somebody told me to {infinitive}. What does that involve?",
)
FIRST = (
    "What do I do first?",
    "Where do I begin?",
    "What should be looked at now?",
    "How do I get this sorted out?",
)
SITUATION = ("{Clause}.", "I can see that {clause}.", "What I know is that {clause}.", "I was told that {clause}.")
SITUATION_NOUN = ("I am looking at {noun}.", "I was told there is {noun}.", "We have {noun}.")
HEARD = (
    "Somebody says that {clause}. Is that right, and what follows from it?",
    "I read that {clause}. What does that mean for me?",
    "My colleague insists that {clause}. What do I have to keep in mind?",
)
BUSY_PLAIN = (
    "I was {gerund}, and now {clause}.",
    "I have just {done}, and {clause}.",
    "I was asked to {infinitive}, and I see that {clause}.",
)
BUSY = (
    "I was {gerund} when I noticed that {clause}.",
    "I have just {done}, and it turns out that {clause}.",
    "I was asked to {infinitive}, but {clause}.",
    "The plan was to {infinitive}. Now I am told that {clause}.",
)

CONDITIONAL = (
    "Say {clause}. {aside} {Ask}?",
    "Suppose {clause}. {aside} {Ask}?",
    "Let's assume {clause}. {aside} {Ask} then?",
    "{aside} But if {clause}, {ask}?",
    "{Ask} in case {clause}? {aside}",
)
CONDITIONAL_BUSY = (
    "I am about to {infinitive}. {aside} If {clause}, {ask}?",
    "Suppose I am {gerund} and {clause}. {aside} {Ask}?",
    "Say I have {done} and {clause}. {aside} {Ask} then?",
    "{aside} If {clause} by the time I {infinitive}, {ask}?",
    "{aside} When I {infinitive} and {clause}, {ask}?",
)
CONDITIONAL_STATE = (
    "If it turns out that {clause}, should I {infinitive}, or is something else more urgent?",
    "Suppose {clause}. Does it help to {infinitive}, and what comes after that?",
    "Say {clause}: is it all right to {infinitive}, or can I leave it?",
)
CONDITIONAL_ORDER = (
    "If there is only time for one thing, is it right to {infinitive} first? {aside}",
    "Nothing else is done yet. May I {infinitive} all the same, or does something have to come first?",
    "{aside} If I {infinitive} straight away, before anything else, would that be a mistake?",
    "If I have not {done} yet, can I go on with the rest all the same? {aside}",
)
CONDITIONAL_FACT = (
    "If it is true that {clause}, what do I have to keep in mind?",
    "Provided that {clause}, what follows for what I do?",
    "Assuming that {clause}, is there anything I should do differently?",
)

ASKS_WHO = ("who do I need to tell", "whom should I get hold of", "who has to know about it")
ASKS_LONG = ("how long should I give it", "how much time do I have", "what is the time limit")
ASKS_AVOID = ("what must I not do", "is there anything I should keep my hands off", "what should I avoid")
ASKS_STOP = ("do I carry on or stop", "may I go on", "is it still all right to continue")
ASKS_CHANGE = ("what needs changing", "do I have to put in something else", "what has to be swapped")
ASKS = ("what should I do", "what is the right move", "what comes next", "what do I do about it", "how do I go on")
