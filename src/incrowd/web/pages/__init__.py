"""The pages, each named as its address."""
