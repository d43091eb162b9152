"""Whether a sentence is supported by the lines that it cites: names, quantities, polarity, order and words."""
