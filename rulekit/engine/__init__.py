"""What happens: the rules of the game."""
