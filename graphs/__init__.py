"""In what order, what is kept, where a person is asked: the LangGraph state machines."""
