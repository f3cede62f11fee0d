"""How likely: exact answers and simulations."""
