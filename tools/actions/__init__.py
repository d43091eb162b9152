"""What an operator may have done for them: drafts, tickets, timers and MCP tools, each under its protocol."""
