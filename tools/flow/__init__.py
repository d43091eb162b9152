"""A flow graph in front of a person or a model: bound to its source, in order, with every warning before its step."""
