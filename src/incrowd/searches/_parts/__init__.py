"""Set-partitioning: the values of each column are parted, and every record of a value publishes its part.

Single-dimensional and global, as a level of a hierarchy is, but without a hierarchy (Loukides 2.1.3). Ordered: parts
are intervals of the column's order (Bayardo and Agrawal 2005). Unordered: any sets of values (Li and Li 2008).
"""
