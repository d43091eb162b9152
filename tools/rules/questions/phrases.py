"""The frames questions are put in, so that a hundred procedures do not all sound the same. `{...}` is filled by forms.py."""

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
    "How should I {infinitive} once I know that {clause}?",
)
DIRECT_SEEN = (
    "What should I check when {clause}?",
    "What is there to do when {clause}?",
    "How do I deal with it when {clause}?",
    "What do I do first when {clause}?",
)
DIRECT_NOUN = ("How do I deal with {noun}?", "What should I check first when there is {noun}?")
ORDERED = (
    "What has to be done before I {infinitive}?",
    "What do I have to do before {gerund}?",
)

SYMPTOM = (
    "{Clause}.",
    "{Clause}. What should I look at first?",
    "{Clause} and nobody here knows why.",
    "I can see that {clause}. What could be behind it?",
    "We have noticed that {clause}. What now?",
    "{Clause}, and I don't know what to do about it.",
    "It looks as if {clause}. What do I do?",
    "For a while now {clause}. What is going on?",
)
SYMPTOM_NOUN = (
    "We have {noun} here and I don't know where to start.",
    "I am looking at {noun}. What could be behind it?",
    "There seems to be {noun}. What should I look at first?",
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
    "I am standing next to it with a radio and a torch.",
    "The customer is on the other line and getting nervous.",
    "We had a quiet afternoon until a quarter of an hour ago.",
    "I have done this once before, but that was last year.",
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
SITUATION = ("{Clause}.", "I can see that {clause}.", "What I know is that {clause}.", "I was told that {clause}.")
SITUATION_NOUN = ("I am looking at {noun}.", "I was told there is {noun}.", "We have {noun}.")

CONDITIONAL = (
    "If {clause}, {ask}?",
    "Say {clause}. {Ask}?",
    "Suppose {clause}. {Ask}?",
    "{Ask} in case {clause}?",
    "{Ask} if {clause}?",
    "Let's assume {clause}. {Ask} then?",
)
CONDITIONAL_PAIR = (
    "If {clause}, {ask}? And what changes if {other}?",
    "Say {clause}. {Ask}, and is it any different if {other}?",
    "I know what to do as long as {other}. But if {clause}, {ask}?",
    "Suppose {clause} while {other}. {Ask}?",
)
CONDITIONAL_STATE = (
    "If it turns out that {clause}, what should I do about it?",
    "Suppose {clause}. Which way do I go from there?",
    "Say {clause}: is there anything I should do, or can I leave it?",
)
CONDITIONAL_ACTION = (
    "If I cannot {infinitive}, do I go on or stop there?",
    "When is it the right moment to {infinitive}, and what must be done first?",
    "Under what circumstances should I {infinitive}?",
    "If I am about to {infinitive}, what must be true before I begin?",
)
CONDITIONAL_DOUBT = (
    "If I {infinitive} and nothing changes, what is left to try?",
    "Once I have {done}, what should I see before I go on?",
)

ASKS_WHO = ("who do I need to tell", "whom should I get hold of", "who has to know about it")
ASKS_LONG = ("how long should I give it", "how much time do I have", "how long does that take")
ASKS_AVOID = ("what must I not do", "is there anything I should keep my hands off", "what should I avoid")
ASKS_STOP = ("do I carry on or stop", "may I go on", "is it still all right to continue")
ASKS_VALUE = ("which value should I go for", "what figure counts", "which limit applies")
ASKS_CHANGE = ("what needs changing", "do I have to put in something else", "what has to be swapped")
ASKS = ("what should I do", "what is the right move", "what comes next", "what do I do about it", "how do I go on")
