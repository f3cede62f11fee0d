"""Seen and touched: boards, labs and charts."""
