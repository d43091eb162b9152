"""The terminal chat: what a person types becomes input of the graph, what the graph says becomes lines on a screen."""
