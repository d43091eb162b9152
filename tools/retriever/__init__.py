"""Retrieval of SOPs: the index (cards, three views), the router, the gated ranking and the answer."""
