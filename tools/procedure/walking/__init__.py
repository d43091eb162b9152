"""The walk through the sections: which blocks are procedure, and how sections follow each other."""
