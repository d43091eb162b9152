"""The agents: each takes typed input, asks a model or the rules, and returns a typed decision."""
