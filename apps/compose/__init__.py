"""The composition: settings become tools, agents and the contexts of the graphs."""
