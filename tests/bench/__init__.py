"""How long things take: each module here has a `measure()` that prints a table; `python3 start.py bench` runs them all."""
