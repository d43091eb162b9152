"""The knowledge graph: documents, chunks, names and quoted facts, beside the SOPs of an index."""
