// Nothing: see headers.txt.
