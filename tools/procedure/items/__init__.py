"""Lists: whether items are steps, outcomes, cases or parts of a step."""
