"""Servers: the web client beside the graphs of LangGraph, and an index as tools of the Model Context Protocol."""
