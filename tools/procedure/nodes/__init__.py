"""From clauses and neighbouring blocks to nodes of the tree: acts, decisions, cases, other ways."""
