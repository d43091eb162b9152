"""An SOP as verbatim steps, conditions, ranges and warnings."""
