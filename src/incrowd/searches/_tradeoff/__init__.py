"""What the two methods of Loukides' thesis have in common: subspaces, clusters, and where left-over records go."""
