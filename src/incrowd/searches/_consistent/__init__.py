"""The parts of the search consistent."""
