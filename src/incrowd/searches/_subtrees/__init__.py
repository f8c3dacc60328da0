"""Full-subtree recoding (Iyengar 2002): a cut through the tree of every column, above which nothing is told apart."""
