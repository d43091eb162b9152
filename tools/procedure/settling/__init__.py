"""What is settled once all steps are known: edges, decisions, and the steps that ranges and warnings bind to."""
