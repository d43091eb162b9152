"""Quality of rules and parsers, measured on corpora."""
