"""Where independent procedures begin in one text, judged by evidence and not by the depth of headings."""
