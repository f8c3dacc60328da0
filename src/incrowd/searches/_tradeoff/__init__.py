"""Code that the two methods of Loukides' thesis share: subspaces, clusters, and places for left-over records."""
