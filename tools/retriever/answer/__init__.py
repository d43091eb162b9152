"""From a ranked SOP to the steps that answer a question."""
