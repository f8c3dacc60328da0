"""Code that searches by clusters of near records share."""
