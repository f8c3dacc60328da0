"""What searches by clusters of near records have in common."""
