"""The Collector on the web: from a topic to documents, best page first, within a budget."""
