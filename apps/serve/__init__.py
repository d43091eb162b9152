"""Programs of others: the procedures of an index as tools of the Model Context Protocol."""
