"""One member of every family, in a package of its own: found through its entry points alone."""
