"""Clusters of people: what local searches do if several records of a person are known.

A person with r records, in an order of their own, is one long record of r times the quasi-identifiers. People of equal
r are clustered by any search of groups, as if they were records; the j-th records of a cluster are then published
alike, as one group. Why that is enough, for people who are published (`textbook_alike` is the definition):

1. *history*. Every person of a cluster has exactly one record in each of its r groups and no other record. Groups that
   publish the same cells are one class, and all people of the cluster then have equally many records in that class. So
   two people of a cluster have equal numbers of records in every class: what is known of one is true of the other.
   Everybody's history is therefore true of a whole cluster, and of a union of whole clusters if several publish alike.
2. *m records*, for every m. A collection of records is true of whoever has at least these. People with equal histories
   have the same collections, so it is again true of a union of whole clusters.
3. *record*. A class has a record of everybody in the clusters that it is made of: all the people of one at least.

A cluster that satisfies a model is enough where the model stays satisfied when people join (`absorbing`), as k, or
different values, do. Of another model all views and classes are judged as they are published, and clusters are joined
until all satisfy it.

If m records are known, people with m or more need not have equally many: where fewer than needed have r, people with
different numbers are clustered together, and all records from some place on are published as one group. Each of them
has m or more there, and no collection of m records or less tells more than that. People with fewer than m records may
be too few for a cluster of their own. They join one of people with more: what is known of them is true of all others
there, and they take nothing away from what is true of these.

People who must go even if all records are published alike go first. Those who remain can always be published.
"""
