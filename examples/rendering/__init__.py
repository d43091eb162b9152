"""How one example source becomes a file a plant would have on its share: one module per format."""
