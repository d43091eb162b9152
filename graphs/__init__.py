"""The LangGraph state graphs: order of the nodes, checkpointed state, and interrupts for a person."""
