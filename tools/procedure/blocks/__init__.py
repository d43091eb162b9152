"""A document before it is read as a procedure: blocks, sections, boxes, and the rows of tables, with their lines."""
