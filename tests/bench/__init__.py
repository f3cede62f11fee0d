"""How long things take: each module here prints a table by its `measure()`; `python3 start.py bench` runs them all."""
