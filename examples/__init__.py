"""SOP documents of our own in real formats: the embedded library the defaults run on."""
