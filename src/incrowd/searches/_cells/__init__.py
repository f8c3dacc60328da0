"""Wiping single cells: the table, what wiping costs, and ways to choose."""
