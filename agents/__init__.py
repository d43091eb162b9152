"""Who decides: typed input, a model's answer, a typed decision."""
