"""Rule-based calculation: quantities are extracted from a text, bound to the variables of a law, and the law is solved.

The rules abstain unless every quantity of the text is bound: an unused number indicates a different problem.
"""
