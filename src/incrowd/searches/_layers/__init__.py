"""Layers: one level vector after the other publishes what satisfies the models; the rest goes on."""
