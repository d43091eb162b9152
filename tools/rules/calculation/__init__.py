"""Calculating by rules: quantities are read from a text, bound to a law by what is said of them, and the law is solved.

The rules abstain unless every quantity of the text has a place in the law: numbers left over mean another problem.
"""
