"""Rules questions as data."""
