"""The agents of DeepSearch (paper 001): planner, selector, the searching agents, writer and judges."""
