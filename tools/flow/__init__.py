"""Guided runs over flow graphs: rendering of steps bound to their source lines, tool bindings, and the run's cursor."""
