"""Find the right SOP: cards, three views, router, gated ranking."""
